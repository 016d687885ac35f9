import { expect, test } from 'vitest';
import { readClasses } from '#server/board/classes.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { publish, testContext } from '#tests/support/board/context.ts';

test('readClasses() has ten classes, highest first, each with those closest to the next one', () => {
  const ctx = testContext();
  for (let at = 0; at < 5; at += 1) {
    anActive(ctx, `op-${at}`, bucketsOfDays(20, '2026-02-10', { output: 10_000 + 10 * at }));
  }
  publish(ctx);

  const { classes, head } = readClasses(ctx);
  const peopled = classes.filter(({ total }) => total > 0);
  const [one] = peopled;

  expect(head.window).toBe('90d');
  expect(classes.map(({ tier }) => tier)).toEqual([
    ...['ocean', 'sea', 'delta', 'cataract', 'falls', 'rapids', 'river', 'stream', 'brook', 'rill'],
  ]);
  expect(peopled).toHaveLength(1);
  expect(one?.total).toBe(5);
  expect(one?.nearest.map(({ codename }) => codename)).toEqual(['op-4', 'op-3', 'op-2']);
  expect(one?.middle?.codename).toBe('op-2');
  for (const { begins, ends, nearest } of peopled) {
    for (const { interval } of nearest) {
      expect(interval?.[0]).toBeGreaterThanOrEqual(begins);
      expect(interval?.[0]).toBeLessThan(ends ?? Infinity);
    }
  }
});
