import { expect, test } from 'vitest';
import { Projection } from '#server/publication/projection.ts';
import { type SpotCheckNotice, SpotCheckTurns } from '#server/publication/spot-check-turns.ts';
import { aBoard } from '#tests/support/board/boards.ts';
import { execute } from '#tests/support/board/context.ts';
import { eventually } from '#tests/support/http/server.ts';

function someTurns() {
  const ctx = aBoard(3);
  const projection = new Projection(ctx.ruleset);
  projection.refresh(ctx.store, '2026-03-10');
  const { projected } = projection;
  if (!projected) throw new Error('Nothing was projected');
  const notices: SpotCheckNotice[] = [];
  const turns = new SpotCheckTurns(ctx.store, (notice) => notices.push(notice));
  const settle = () => eventually(async () => turns.isSettled, Boolean);
  return { ctx, projected, notices, turns, settle };
}

test('a clean board is compared after each publication, and nothing is reported', async () => {
  const { projected, notices, turns, settle } = someTurns();
  turns.goOn();
  expect(turns.isSettled).toBe(true);

  turns.begin(projected);
  turns.goOn();
  expect(turns.isSettled).toBe(false);
  await settle();
  expect(notices).toEqual([]);
});

test('a difference is reported once, by internal IDs', async () => {
  const { projected, notices, turns, settle } = someTurns();
  const { ids, facts } = projected.state.operators;
  facts.fill(0);
  turns.begin(projected);
  turns.goOn();
  await settle();

  expect(notices).toHaveLength(1);
  expect([...ids]).toEqual(expect.arrayContaining(notices[0]?.differing ?? []));
});

test('a publication pauses a comparison, which then continues', async () => {
  const { projected, turns, settle } = someTurns();
  turns.begin(projected);
  turns.goOn();
  turns.rest();
  expect(turns.isSettled).toBe(false);
  turns.goOn();
  await settle();
});

test('an error is reported without its message, and nothing is distrusted', async () => {
  const { ctx, projected, notices, turns, settle } = someTurns();
  execute(ctx, "UPDATE usage_blocks SET body = x'ffffffff'");
  turns.begin(projected);
  turns.goOn();
  await settle();

  expect(notices).toEqual([{ differing: [], failed: 'RangeError' }]);
});
