import { describe, expect, test, vi } from 'vitest';
import { utcDay } from '#core/domain/counting/day.ts';
import { type Bucket, MAX_COUNT } from '#core/schema/usage.ts';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { restoreSubmission, withdrawSubmission } from '#server/submission/withdraw-submission.ts';
import { Checks } from '#server/publication/checks/checks.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { DAY_MS, MINUTE_MS, aBucket } from '#tests/support/board/builders.ts';
import {
  GIANT,
  check,
  counted,
  daysOf,
  found,
  send,
  stateOf,
} from '#tests/support/board/checks.ts';
import { aPublisher } from '#tests/support/board/publisher.ts';
import {
  type TestContext,
  anEnrolledDevice,
  dumpOf,
  execute,
  submit,
  testContext,
} from '#tests/support/board/context.ts';

describe('Checks', () => {
  test('holds an impossible day, and lets the submission that it replaced count again', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const honest = await send(ctx, device, [aBucket({ output: 20_000 })]);
    const fake = await send(ctx, device, [
      aBucket({ input: 1e6, output: 300e6 }),
      aBucket({ day: '2026-03-02' }),
    ]);

    expect(check(ctx)).toEqual([]);

    expect([stateOf(ctx, honest), stateOf(ctx, fake)]).toEqual(['accepted', 'held']);
    expect(counted(ctx)).toEqual(['2026-03-01 20000']);
    expect(found(ctx)).toEqual([`output_rate hold ${fake.log_index} {"2026-03-01":300000000}`]);
    const entry = ctx.store.log.lastOfKind('hold');
    expect(JSON.parse(new TextDecoder().decode(entry?.payload ?? new Uint8Array()))).toEqual({
      operator: ctx.store.operators.byCodename('ada')?.public_id,
      submission: fake.id,
      log_index: fake.log_index,
      by: 'check:output_rate',
      reason: expect.stringMatching(
        /2026-03-01.* 300,000,000 output tokens.* 200,000,000\.$/,
      ) as string,
    });
  });

  test('holds submissions that count only after another one is held', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const first = await send(ctx, device, [aBucket({ output: 300e6 })]);
    const second = await send(ctx, device, [aBucket({ output: 300e6, cache_write: 200_000 })]);

    expect(check(ctx)).toEqual([]);

    expect([stateOf(ctx, first), stateOf(ctx, second)]).toEqual(['held', 'held']);
    expect(counted(ctx)).toEqual([]);
  });

  test('holds, once it is restored, a submission that was withdrawn before it was checked', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const caller = { operator_id: 1, device_id: null };
    await send(ctx, device, [aBucket({ output: 20_000 })]);
    const fake = await send(ctx, device, [aBucket({ input: 1e6, output: 300e6 })]);
    await withdrawSubmission(ctx, caller, fake.id);
    const checks = new Checks(ctx.store);
    check(ctx, checks);
    expect(found(ctx)).toEqual([]);

    await restoreSubmission(ctx, caller, fake.id);
    check(ctx, checks);

    expect(stateOf(ctx, fake)).toBe('held');
    expect(counted(ctx)).toEqual(['2026-03-01 20000']);
  });

  test('only adds notes for unusual days, and holds nothing', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const { log_index } = await send(ctx, device, [
      aBucket({ output: 60e6 }),
      aBucket({ day: '2026-03-02', cache_write: 0 }),
    ]);

    check(ctx);

    expect(found(ctx)).toEqual([
      `output_rate note ${log_index} {"2026-03-01":60000000}`,
      `reads_without_writes note ${log_index} {"2026-03-02":1000000}`,
    ]);
    expect(ctx.store.log.lastOfKind('hold')).toBeUndefined();
  });

  test('does not read data of operators without changes again', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    await send(ctx, device, daysOf(1, 20));
    const checks = new Checks(ctx.store);
    check(ctx, checks);
    const before = dumpOf(ctx);

    check(ctx, checks);
    check(ctx);

    expect(dumpOf(ctx)).toEqual(before);
  });

  test('reads an account once if nothing of it is put on hold', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const checks = new Checks(ctx.store);
    check(ctx, checks);
    await send(ctx, device, daysOf(1, 20));
    check(ctx, checks);
    await send(ctx, device, daysOf(21, 1));
    const days = vi.spyOn(ctx.store.checks, 'days');
    const vectors = vi.spyOn(ctx.store.checks, 'vectors');

    check(ctx, checks);

    expect(days).toHaveBeenCalledTimes(1);
    expect(vectors).not.toHaveBeenCalled();
  });

  test('continues where its time ran out', async () => {
    const ctx = testContext();
    for (const name of ['ada', 'bob']) {
      await send(ctx, await anEnrolledDevice(ctx, name), [aBucket({ output: 300e6 })]);
    }
    const checks = new Checks(ctx.store);

    expect(checks.run(ctx.now(), 0).isDone).toBe(false);
    expect(counted(ctx)).toHaveLength(2);
    expect(check(ctx, checks)).toEqual([]);
    expect(counted(ctx)).toEqual([]);
  });
});

test('compares the first account with the last on a first run on an old board', async () => {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  const { log_index } = await send(ctx, device, [...daysOf(1, 20), aBucket(GIANT)]);
  for (let number = 2; number <= 22; number += 1) {
    anActive(ctx, `other-${number}`, daysOf(number, 3));
  }

  expect(check(ctx)).toEqual([]);

  expect(found(ctx)).toEqual([`day_outlier hold ${log_index} {"2026-03-01":90906000000}`]);
});

test('checks restored submissions by what is known now', async () => {
  const ctx = testContext();
  const checks = new Checks(ctx.store);
  const device = await anEnrolledDevice(ctx, 'ada');
  const alone = await send(ctx, device, [...daysOf(1, 20), aBucket(GIANT)]);
  check(ctx, checks);
  for (let number = 2; number <= 22; number += 1) {
    anActive(ctx, `other-${number}`, daysOf(number, 3));
  }
  check(ctx, checks);
  expect(stateOf(ctx, alone)).toBe('accepted');

  const again = await send(ctx, device, [aBucket({ ...GIANT, output: 2e6 })]);
  check(ctx, checks);

  expect([stateOf(ctx, alone), stateOf(ctx, again)]).toEqual(['held', 'held']);
});

test('checks an earlier day once a range exists for it', async () => {
  const ctx = testContext();
  const checks = new Checks(ctx.store);
  for (let number = 2; number <= 22; number += 1) {
    anActive(ctx, `other-${number}`, daysOf(number, 3));
  }
  const device = await anEnrolledDevice(ctx, 'ada');
  const giant = await send(ctx, device, [aBucket(GIANT)]);
  check(ctx, checks);
  expect(stateOf(ctx, giant)).toBe('accepted');

  const rest = await send(ctx, device, daysOf(1, 20));
  check(ctx, checks);

  expect([stateOf(ctx, giant), stateOf(ctx, rest)]).toEqual(['held', 'accepted']);
});

test('holds what was added to a day that became too large', async () => {
  const ctx = testContext();
  const checks = new Checks(ctx.store);
  const [one, two] = [await anEnrolledDevice(ctx, 'ada'), await anEnrolledDevice(ctx, 'ada')];
  const first = await send(ctx, one, [aBucket({ output: 150e6 })]);
  check(ctx, checks);

  const second = await send(ctx, two, [aBucket({ output: 160e6 })]);
  check(ctx, checks);

  expect([stateOf(ctx, first), stateOf(ctx, second)]).toEqual(['accepted', 'held']);
});

describe('a new level', () => {
  const light = (account: number) => daysOf(account, 20);
  const heavyOn = (day: number, factor = 1) =>
    aBucket({
      ...GIANT,
      output: GIANT.output + 1_001 * day,
      cache_read: factor * GIANT.cache_read,
      day: utcDay(Date.parse('2026-02-20') + day * DAY_MS),
    });

  async function aLightAccount(ctx: TestContext) {
    for (let number = 2; number <= 22; number += 1) anActive(ctx, `other-${number}`, light(number));
    const device = await anEnrolledDevice(ctx, 'ada');
    const checks = new Checks(ctx.store);
    await send(ctx, device, light(1));
    check(ctx, checks);
    const state = async (bucket: Bucket) => {
      const sent = await send(ctx, device, [bucket]);
      expect(check(ctx, checks)).toEqual([]);
      return stateOf(ctx, sent);
    };
    return { device, checks, state };
  }

  test('is accepted after two weeks', async () => {
    const ctx = testContext();
    const { state } = await aLightAccount(ctx);
    const states = [];
    for (let day = 1; day <= 16; day += 1) states.push(await state(heavyOn(day)));

    expect(states).toEqual([
      ...Array.from({ length: 13 }, () => 'held'),
      ...Array.from({ length: 3 }, () => 'accepted'),
    ]);
  });

  test('is accepted once an admin released a day of it, but a higher one is not', async () => {
    const ctx = testContext();
    const { device, checks, state } = await aLightAccount(ctx);
    const first = await send(ctx, device, [heavyOn(1)]);
    check(ctx, checks);
    expect(stateOf(ctx, first)).toBe('held');
    decideSubmission(ctx, { kind: 'release', id: first.id, reason: 'A new job' });

    expect([await state(heavyOn(2)), await state(heavyOn(3, 2))]).toEqual(['accepted', 'held']);
  });
});

test('daily counts without cache reads do not hide input from the checks', async () => {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  const { log_index } = await send(ctx, device, [
    aBucket({ input: 1, output: 20_000, cache_read: 3e6 }),
    aBucket({ input: 4e6, output: 0, cache_write: null, cache_read: null, model: 'silent' }),
  ]);

  expect(check(ctx)).toEqual([]);

  expect(found(ctx)).toEqual([
    `hidden_input hold ${log_index} {"2026-03-01":4000000}`,
    `input_share hold ${log_index} {"2026-03-01":1.5}`,
  ]);
});

describe("an admin's release", () => {
  test('is not undone by the same day, but by one that grew by more than a tenth', async () => {
    const ctx = testContext();
    const device = await anEnrolledDevice(ctx, 'ada');
    const held = await send(ctx, device, [aBucket({ output: 300e6 })]);
    check(ctx);
    decideSubmission(ctx, { kind: 'release', id: held.id, reason: 'A whole team' });
    check(ctx);
    expect(stateOf(ctx, held)).toBe('accepted');

    const alike = await send(ctx, device, [aBucket({ output: 320e6 })]);
    check(ctx);
    const more = await send(ctx, device, [aBucket({ output: 340e6 })]);
    check(ctx);

    expect([stateOf(ctx, alike), stateOf(ctx, more)]).toEqual(['accepted', 'held']);
    expect(counted(ctx)).toEqual(['2026-03-01 320000000']);
  });
});

describe('an error', () => {
  test('is reported without names, and does not affect other operators', async () => {
    const ctx = testContext();
    const [ada, bob] = [await anEnrolledDevice(ctx, 'ada'), await anEnrolledDevice(ctx, 'bob')];
    const most = aBucket({ input: MAX_COUNT - 5e9, output: 1 });
    await send(ctx, ada, [most]);
    const correction = { tool: most.tool, from: most.day, to: most.day };
    ctx.clock.nowMs += MINUTE_MS;
    const fake = aBucket({ output: 300e6 });
    const { answer } = await submit(ctx, ada, [fake], { correction });
    // If that were held, the submission that it corrected would count again next to this.
    await send(ctx, ada, [{ ...most, day: '2026-03-02' }]);
    const other = await send(ctx, bob, [{ ...fake, output: 400e6 }]);

    expect(check(ctx)).toEqual(['DomainError: count_out_of_range']);

    expect([stateOf(ctx, answer), stateOf(ctx, other)]).toEqual(['accepted', 'held']);
    expect(check(ctx)).toEqual([]);
  });
});

test('the projecting thread checks before it publishes, and a failing check does not prevent it', async () => {
  const ctx = testContext();
  const device = await anEnrolledDevice(ctx, 'ada');
  await send(ctx, device, [...daysOf(1, 20), aBucket({ output: 300e6 })]);
  const publisher = aPublisher(ctx);

  await publisher.start();
  expect(publisher.edition?.publication.moderation.held_submissions).toBe(1);
  expect(publisher.edition?.publication.operators.positionOf('ada')).toBeNull();

  execute(ctx, 'DROP TABLE usual_days');
  await send(ctx, device, daysOf(2, 20));
  await publisher.publish();
  expect(publisher.edition?.publication.operators.positionOf('ada')).toBe(0);
  expect(ctx.errors).toEqual([new Error('SqliteError: SQLITE_ERROR')]);
});
