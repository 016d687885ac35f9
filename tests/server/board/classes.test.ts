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
  const names = peopled.map(({ nearest }) => nearest.map(({ codename }) => codename));

  expect(head.window).toBe('90d');
  expect(classes.map(({ tier }) => tier)).toEqual([
    ...['ocean', 'sea', 'delta', 'cataract', 'falls', 'rapids', 'river', 'stream', 'brook', 'rill'],
  ]);
  const [, , middle] = peopled[0]?.nearest ?? [];
  expect(middle?.codename).toBe('op-2');
  expect(peopled).toMatchObject([{ total: 5, median: middle?.metrics.yield }]);
  expect(names).toEqual([['op-4', 'op-3', 'op-2']]);
});
