import { describe, expect, test } from 'vitest';
import { decideSubmission } from '#server/commands/decide-submission.ts';
import { Checks } from '#server/publication/checks.ts';
import { anActive } from '#tests/support/boards.ts';
import { aBucket } from '#tests/support/builders.ts';
import { check, daysOf, found, send, stateOf } from '#tests/support/checks.ts';
import { anEnrolledDevice, query, testContext } from '#tests/support/context.ts';

describe('equal days of two accounts', () => {
  test('are held on the one that stated them later, whichever is looked at first', async () => {
    const ctx = testContext();
    const [ada, bob] = [await anEnrolledDevice(ctx, 'ada'), await anEnrolledDevice(ctx, 'bob')];
    const original = await send(ctx, ada, daysOf(1, 4));
    const copy = await send(
      ctx,
      bob,
      daysOf(1, 4).map((bucket) => ({ ...bucket, input: bucket.input + 8 })),
    );
    // So many between them, and ada sends more: her days are read long after the copy was judged.
    for (let number = 2; number <= 22; number += 1) anActive(ctx, `other-${number}`, [aBucket()]);
    await send(ctx, ada, [aBucket({ day: '2026-03-05', output: 77_777 })]);

    expect(check(ctx)).toEqual([]);

    expect([stateOf(ctx, original), stateOf(ctx, copy)]).toEqual(['accepted', 'held']);
    expect(found(ctx)).toHaveLength(1);
    const against = query(ctx, 'SELECT against FROM submission_checks');
    expect(against).toEqual([{ against: ctx.store.operators.byCodename('ada')?.id }]);
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

  test('are no reason to hold who restates its own days after they were copied', async () => {
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

  test('are no reason to hold who restates its own days with a little more', async () => {
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

  test('are found though the copy names another tool and no cache writes', async () => {
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

  test('are let pass for good once a keeper released one of them', async () => {
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
