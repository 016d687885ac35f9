import { describe, expect, test } from 'vitest';
import { changeVisibility } from '#server/operator/visibility.ts';
import type { Projected } from '#server/publication/project/read-changes.ts';
import { randomSlots, SpotCheck } from '#server/publication/project/spot-check.ts';
import { Projection } from '#server/publication/projection.ts';
import { numberAt, placeAt } from '#server/publication/state/blocks.ts';
import { challengeRowIn, partsPosition, rowIn } from '#server/publication/state/sheet.ts';
import { anActive, deleteOperator } from '#tests/support/board/boards.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { execute, type TestContext, testContext } from '#tests/support/board/context.ts';
import { addMarchChallenge } from '#tests/support/board/march-challenge.ts';

interface ProjectedBoard {
  ctx: TestContext;
  projection: Projection;
  projected: Projected;
}

/** A board in a challenge, with the operators ada and bob. */
function aProjectedBoard(): ProjectedBoard {
  const ctx = testContext();
  addMarchChallenge(ctx);
  for (const [index, name] of ['ada', 'bob'].entries()) {
    anActive(ctx, name, bucketsOfDays(40, '2026-02-05', { output: 9_000 + 500 * index }));
    anActive(ctx, name, bucketsOfDays(4, '2026-03-01', {}), 'self_reported');
  }
  const projection = new Projection(ctx.ruleset);
  return { ctx, projection, projected: projectedOn('2026-03-15', ctx, projection) };
}

function projectedOn(day: string, { store }: TestContext, projection: Projection): Projected {
  projection.refresh(store, day);
  projection.project();
  if (!projection.projected) throw new Error('Nothing was projected');
  return projection.projected;
}

/** The codenames of operators whose data in memory differs from the database. */
function differing({ ctx: { store }, projected }: Pick<ProjectedBoard, 'ctx' | 'projected'>) {
  const slots = Array.from(projected.state.operators.ids.keys());
  const ids = new SpotCheck(store, projected, slots).run(Number.POSITIVE_INFINITY);
  return ids.map((id) => store.operators.byId(id)?.codename);
}

const slotOf = ({ ctx, projected }: ProjectedBoard, codename: string) =>
  projected.state.operators.ids.indexOf(ctx.store.operators.byCodename(codename)?.id ?? 0);

/** Adds the smallest amount to the number at a position. */
function nudge({ projected: { state } }: ProjectedBoard, position: number): void {
  const { numbers, at } = placeAt(state.numbers, position);
  const bits = new BigInt64Array(numbers.buffer);
  expect(position).toBeGreaterThan(0);
  bits[at] = (bits[at] ?? 0n) ^ 1n;
}

describe('a spot check', () => {
  test('finds no difference in a board, also after changes and on the next day', () => {
    const board = aProjectedBoard();
    const { ctx, projection } = board;
    expect(differing(board)).toEqual([]);

    anActive(ctx, 'cat', bucketsOfDays(12, '2026-02-20', {}));
    anActive(ctx, 'ada', bucketsOfDays(3, '2026-03-02', { tool: 'another' }));
    const sameDay = projectedOn('2026-03-15', ctx, projection);
    expect(differing({ ctx, projected: sameDay })).toEqual([]);

    const nextDay = projectedOn('2026-03-16', ctx, projection);
    expect(differing({ ctx, projected: nextDay })).toEqual([]);
  });

  test.each([
    ['a row', 12, (numbers, sheet) => rowIn(numbers, sheet, { tool: 0, trust: 'all', window: 0 })],
    ['a row of a challenge', 4, (numbers, sheet) => challengeRowIn(numbers, sheet, 0)],
    ['parts', 2, (numbers, sheet) => partsPosition(numbers, sheet, 0)],
  ] satisfies [string, number, (...of: [Projected['state']['numbers'], number]) => number][])(
    'finds a single wrong bit in %s',
    (_, index, positionIn) => {
      const board = aProjectedBoard();
      const { numbers, operators } = board.projected.state;
      const sheet = operators.sheets[slotOf(board, 'bob')] ?? 0;
      const position = positionIn(numbers, sheet);
      expect(numberAt(numbers, position)).toBeGreaterThan(0);

      nudge(board, position + index);

      expect(differing(board)).toEqual(['bob']);
    },
  );

  test.each(['facts', 'names', 'sheets'] as const)('finds wrong %s', (column) => {
    const board = aProjectedBoard();
    const { operators } = board.projected.state;
    const other = column === 'facts' ? 0 : (operators[column][slotOf(board, 'ada')] ?? 0);

    operators[column][slotOf(board, 'bob')] = other;

    expect(differing(board)).toEqual(['bob']);
  });

  test('finds daily counts that changed without a log entry', () => {
    const board = aProjectedBoard();

    execute(board.ctx, 'UPDATE buckets SET output = output + 1 WHERE operator_id = 1');

    expect(differing(board)).toEqual(['ada']);
  });

  test('finds an account that is gone without a trace', () => {
    const board = aProjectedBoard();

    execute(board.ctx, 'UPDATE operators SET log_index = 0 WHERE id = 1');

    expect(differing(board)).toEqual(['ada']);
  });

  test('leaves out operators that changed after they were projected', () => {
    const board = aProjectedBoard();
    const { store } = board.ctx;
    anActive(board.ctx, 'ada', bucketsOfDays(1, '2026-03-11', {}));
    expect(differing(board)).toEqual([]);

    const { id = 0 } = store.operators.byCodename('bob') ?? {};
    store.transaction(() => changeVisibility(board.ctx, id, { privacy_mode: 'private' }));
    expect(differing(board)).toEqual([]);

    deleteOperator(board.ctx, 'ada');
    expect(differing(board)).toEqual([]);
  });

  test('compares at least one operator in each turn, and ends a turn when its time is over', () => {
    const { ctx, projected } = aProjectedBoard();
    projected.state.operators.facts.fill(0);
    const check = new SpotCheck(ctx.store, projected, [0, 1]);

    expect([check.run(0), check.isDone]).toEqual([[2], false]);
    expect([check.run(0), check.isDone]).toEqual([[1], true]);
    expect(check.run(0)).toEqual([]);
  });
});

test('1% of the slots are chosen, at least one, each as likely as the others', () => {
  const numbers = [0, 0.5, 0.999_999];
  let calls = 0;
  const random = () => numbers[calls++ % numbers.length] ?? 0;

  expect(randomSlots(250, random)).toEqual([0, 125, 249]);
  expect(randomSlots(3, random)).toEqual([0]);
  expect(randomSlots(0, random)).toEqual([]);
});
