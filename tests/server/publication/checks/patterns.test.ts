import { describe, expect, test } from 'vitest';
import type { Bucket } from '#core/schema/usage.ts';
import { readDecisions, readNotes } from '#server/admin-pages/decisions.ts';
import { Checks } from '#server/publication/checks/checks.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { aBucket, bucketsOfDays } from '#tests/support/board/builders.ts';
import { check, counted, found, send, stateOf } from '#tests/support/board/checks.ts';
import { anEnrolledDevice, testContext } from '#tests/support/board/context.ts';

/** Days with numbers of their own. */
function ownDays(count: number): Bucket[] {
  return bucketsOfDays(count, '2026-02-01').map((bucket, index) => ({
    ...bucket,
    input: 4_003 + 29 * index,
    output: 90_007 + 7_919 * index,
    cache_read: 9_000_011 + 1_300_021 * ((index * 5) % 13),
  }));
}

async function aBoard() {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  const checks = new Checks(ctx.store);
  const submit = async (buckets: readonly Bucket[]) => {
    const sent = await send(ctx, device, buckets);
    expect(check(ctx, checks)).toEqual([]);
    return sent;
  };
  return { ctx, submit };
}

describe('days that repeat each other', () => {
  test('are held, also those that were submitted before, and others keep counting', async () => {
    const { ctx, submit } = await aBoard();
    const [first, second] = ownDays(2);
    const states = [];
    const days = [first, { ...first, day: '2026-02-08' }, second, { ...second, day: '2026-02-09' }];
    for (const day of days) states.push(await submit([aBucket(day)]));
    const other = await submit(ownDays(5).slice(4));

    expect(states.map((sent) => stateOf(ctx, sent))).toEqual(['held', 'held', 'held', 'held']);
    expect(stateOf(ctx, other)).toBe('accepted');
    expect(counted(ctx)).toHaveLength(1);
    const [decision] = readDecisions(ctx, 1).pending;
    expect(decision?.findings).toEqual([
      {
        text: 'On 2026-02-01, input, output and cache reads are the same as on other days, or all the same multiple. Such days have 100% of the tokens around them. The limit is 50%.',
        isHold: true,
      },
    ]);
    expect(decision?.patterns.more).toBe(0);
    expect(decision?.patterns.days.map(({ day }) => day)).toEqual([
      '2026-02-01',
      '2026-02-02',
      '2026-02-08',
      '2026-02-09',
    ]);
  });

  test('are accepted permanently once an admin released one, at the same size', async () => {
    const { ctx, submit } = await aBoard();
    const job = (day: string, factor = 1) => {
      return aBucket({ day, input: 3_000 * factor, output: 25_000 * factor, cache_read: 1e7 });
    };
    const days = ['2026-02-01', '2026-02-02', '2026-02-03'];
    const sent = await submit(days.map((day) => job(day)));
    expect(stateOf(ctx, sent)).toBe('held');

    decideSubmission(ctx, { kind: 'release', id: sent.id, reason: 'A nightly job' });
    const next = await submit([job('2026-02-04')]);
    const larger = await submit(
      ['2026-02-05', '2026-02-06'].map((day) => ({ ...job(day, 9), cache_read: 9e7 })),
    );

    expect([sent, next, larger].map((one) => stateOf(ctx, one))).toEqual([
      'accepted',
      'accepted',
      'held',
    ]);
  });

  test('are only noted if they are small, which admins see for 30 days', async () => {
    const { ctx, submit } = await aBoard();
    const { log_index } = await submit(bucketsOfDays(3, '2026-02-01'));

    expect(found(ctx)).toEqual([
      `repeated_days note ${log_index} {"2026-02-01":1011100,"2026-02-02":1011100,"2026-02-03":1011100}`,
    ]);
    expect(readNotes(ctx)).toMatchObject([
      { codename: 'ada', text: expect.stringContaining('same') as string },
    ]);
    ctx.clock.nowMs += 31 * 86_400_000;
    expect(readNotes(ctx)).toEqual([]);
  });
});

describe('round counts', () => {
  test('of a day that was multiplied by 100 hold it', async () => {
    const { ctx, submit } = await aBoard();
    const usual = await submit(ownDays(5));
    const [day] = ownDays(6).slice(5);
    const { input, output, cache_read } = aBucket(day);
    const large = { input: input * 100, output: output * 100, cache_read: (cache_read ?? 0) * 100 };
    const fake = await submit([aBucket({ ...day, ...large })]);

    expect([usual, fake].map((sent) => stateOf(ctx, sent))).toEqual(['accepted', 'held']);
    expect(readDecisions(ctx, 1).pending[0]?.patterns.days).toMatchObject([large]);
  });

  test('of cache reads on several days hold all of them', async () => {
    const { ctx, submit } = await aBoard();
    const states = [];
    for (const day of ownDays(4)) {
      states.push(await submit([{ ...day, cache_read: (day.cache_read ?? 0) * 100 }]));
    }

    expect(states.map((sent) => stateOf(ctx, sent))).toEqual(['held', 'held', 'held', 'held']);
    expect(found(ctx).filter((text) => text.startsWith('round_series hold'))).toHaveLength(4);
  });
});
