import { expect, test, vi } from 'vitest';
import { NOW } from '#tests/support/board/builders.ts';
import { anActive, tenDays } from '#tests/support/board/boards.ts';
import { testContext } from '#tests/support/board/context.ts';
import { Checks, type ChecksRun, CheckTurns } from '#server/publication/checks/checks.ts';
import { PATIENCE_MS } from '#tests/support/board/time.ts';

const now = new Date(NOW);

/** Runs of checks with these results, one after the other. */
function turnsOf(...runs: (ChecksRun | Error)[]) {
  const left = [...runs];
  const run = () => {
    const next = left.shift();
    if (next instanceof Error) throw next;
    return next ?? { isDone: true, waiting: 0, failures: ['ran too often'] };
  };
  return { turns: new CheckTurns({ run }), left };
}

const undone = (...failures: string[]): ChecksRun => ({ isDone: false, waiting: 3, failures });
const done = (...failures: string[]): ChecksRun => ({ isDone: true, waiting: 0, failures });

test('errors between publications are reported with the next one, once', async () => {
  const { turns, left } = turnsOf(undone('a'), undone('b'), done('c'), done('d'), done());

  expect(turns.run(now, 1)).toEqual(['a']);
  turns.goOn();
  await vi.waitFor(() => expect(left).toHaveLength(2), PATIENCE_MS);

  expect(turns.run(now, 1)).toEqual(['b', 'c', 'd']);
  expect(turns.run(now, 1)).toEqual([]);
});

test('failing checks are reported without their message, and continue with the next publication', async () => {
  const { turns, left } = turnsOf(undone(), new RangeError('ada has 5'), done('later'));

  turns.run(now, 1);
  turns.goOn();
  await vi.waitFor(() => expect(left).toHaveLength(1), PATIENCE_MS);

  expect(turns.run(now, 1)).toEqual(['RangeError', 'later']);
});

test('a run leaves the checks to another one if too many operators wait', () => {
  const { store } = testContextWithTwo();
  const checks = new Checks(store);

  expect(checks.run(now, 60_000, 1)).toEqual({ isDone: false, waiting: 2, failures: [] });
  expect(store.checks.changed(0).map(({ checked }) => checked)).toEqual([null, null]);
  expect(checks.run(now, 60_000, 2)).toEqual({ isDone: true, waiting: 0, failures: [] });
});

function testContextWithTwo() {
  const ctx = testContext();
  anActive(ctx, 'ada', tenDays());
  anActive(ctx, 'bea', tenDays({ output: 20_000 }));
  return ctx;
}
