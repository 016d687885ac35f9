import { describe, expect, test } from 'vitest';
import { decideSubmission } from '#server/submission/decide-submission.ts';
import { Checks } from '#server/publication/checks/checks.ts';
import { readMe } from '#server/board/me.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import { check, daysOf, found, send, stateOf } from '#tests/support/board/checks.ts';
import { anEnrolledDevice, publish, query, testContext } from '#tests/support/board/context.ts';

describe('equal days of two accounts', () => {
  test('are held in the account that stated them later, whichever is checked first', async () => {
    const ctx = testContext();
    const [ada, bob] = [await anEnrolledDevice(ctx, 'ada'), await anEnrolledDevice(ctx, 'bob')];
    const original = await send(ctx, ada, daysOf(1, 4));
    const copy = await send(
      ctx,
      bob,
      daysOf(1, 4).map((bucket) => ({ ...bucket, input: bucket.input + 8 })),
    );
    // With this many accounts in between, and another submission by ada, her days are read long after the copy was
    // checked.
    for (let number = 2; number <= 22; number += 1) anActive(ctx, `other-${number}`, [aBucket()]);
    await send(ctx, ada, [aBucket({ day: '2026-03-05', output: 77_777 })]);

    expect(check(ctx)).toEqual([]);

    expect([stateOf(ctx, original), stateOf(ctx, copy)]).toEqual(['accepted', 'held']);
    expect(found(ctx)).toHaveLength(1);
    const against = query(ctx, 'SELECT against FROM submission_checks');
    expect(against).toEqual([{ against: ctx.store.operators.byCodename('ada')?.id }]);
  });

  test('are explained to the operator: which days, whose days they equal, and what to do', async () => {
    const ctx = testContext();
    const [ada, bob] = [await anEnrolledDevice(ctx, 'ada'), await anEnrolledDevice(ctx, 'bob')];
    await send(ctx, ada, daysOf(1, 4));
    await send(ctx, bob, daysOf(1, 4));
    check(ctx);
    publish(ctx);
    const idOf = (name: string) => ctx.store.operators.byCodename(name)?.id ?? 0;
    const textOf = () => {
      const { notices } = readMe(ctx, { operator_id: idOf('bob'), device_id: null });
      return notices[0]?.checks[0]?.text ?? '';
    };

    expect(textOf()).toMatch(
      /4 days from 2026-02-01 to 2026-02-04.* 100% of the 4 days.* 50% .*\bada\. If both accounts are yours/,
    );
    ctx.store.transaction(() => changeVisibility(ctx, idOf('ada'), { privacy_mode: 'anonymous' }));
    expect(textOf()).toContain('The other account has no public page.');
    expect(textOf()).not.toMatch(/\bada\b|anonymous-/);
  });

  test('are found day by day, and all of them held together', async () => {
    const ctx = testContext();
    const [ada, bob] = [await anEnrolledDevice(ctx, 'ada'), await anEnrolledDevice(ctx, 'bob')];
    const checks = new Checks(ctx.store);
    await send(ctx, ada, daysOf(1, 4));
    check(ctx, checks);
    const copies = [];
    for (const bucket of daysOf(1, 4)) {
      copies.push(await send(ctx, bob, [bucket]));
      expect(check(ctx, checks)).toEqual([]);
    }

    expect(copies.map((copy) => stateOf(ctx, copy))).toEqual(['held', 'held', 'held', 'held']);
  });

  test('do not hold an operator who reports their own days again after they were copied', async () => {
    const ctx = testContext();
    const [ada, bob] = [await anEnrolledDevice(ctx, 'ada'), await anEnrolledDevice(ctx, 'bob')];
    const checks = new Checks(ctx.store);
    await send(ctx, ada, daysOf(1, 4));
    check(ctx, checks);
    const copy = await send(ctx, bob, daysOf(1, 4));
    const again = await send(ctx, ada, daysOf(1, 4));

    check(ctx, checks);

    expect([stateOf(ctx, copy), stateOf(ctx, again)]).toEqual(['held', 'accepted']);
  });

  test('do not hold an operator who reports their own days again with slightly larger counts', async () => {
    const ctx = testContext();
    const [ada, bob] = [await anEnrolledDevice(ctx, 'ada'), await anEnrolledDevice(ctx, 'bob')];
    const checks = new Checks(ctx.store);
    const grown = (factor: number, days = 3) =>
      daysOf(1, days).map((day) => ({ ...day, output: Math.round(day.output * factor) }));
    await send(ctx, ada, grown(1));
    check(ctx, checks);
    const copy = await send(ctx, bob, grown(1, 2));
    check(ctx, checks);
    const again = [];
    for (const factor of [1.002, 1.004, 1.006]) {
      again.push(await send(ctx, ada, grown(factor)));
      check(ctx, checks);
    }
    const rest = await send(ctx, bob, grown(1.006));
    check(ctx, checks);

    expect(again.map((sent) => stateOf(ctx, sent))).toEqual(['accepted', 'accepted', 'accepted']);
    expect([stateOf(ctx, copy), stateOf(ctx, rest)]).toEqual(['held', 'held']);
  });

  test('are found even if the copy names another tool and no cache writes', async () => {
    const ctx = testContext();
    const [ada, bob] = [await anEnrolledDevice(ctx, 'ada'), await anEnrolledDevice(ctx, 'bob')];
    const original = await send(ctx, ada, daysOf(1, 4));
    const copy = await send(
      ctx,
      bob,
      daysOf(1, 4).map((day) => ({ ...day, tool: 'my-tool', cache_write: null })),
    );

    expect(check(ctx)).toEqual([]);

    expect([stateOf(ctx, original), stateOf(ctx, copy)]).toEqual(['accepted', 'held']);
  });

  test('are accepted permanently once an admin released one of them', async () => {
    const ctx = testContext();
    const [ada, bob] = [await anEnrolledDevice(ctx, 'ada'), await anEnrolledDevice(ctx, 'bob')];
    await send(ctx, ada, daysOf(1, 8));
    const copy = await send(ctx, bob, daysOf(1, 4));
    check(ctx);
    decideSubmission(ctx, { kind: 'release', id: copy.id, reason: 'One person, two accounts' });

    const more = await send(ctx, bob, daysOf(1, 8));
    check(ctx);

    expect([stateOf(ctx, copy), stateOf(ctx, more)]).toEqual(['accepted', 'accepted']);
  });
});
