import { expect, test } from 'vitest';
import { Checks, CheckTurns } from '#server/publication/checks/checks.ts';
import { LeftoverSearch } from '#server/publication/leftover-search.ts';
import { SpotCheck } from '#server/publication/project/spot-check.ts';
import { Publishing } from '#server/publication/publishing.ts';
import { rowIn } from '#server/publication/state/sheet.ts';
import { placeAt } from '#server/publication/state/blocks.ts';
import { aBoard } from '#tests/support/board/boards.ts';
import type { TestContext } from '#tests/support/board/context.ts';
import { workerOf } from '#tests/support/board/publisher.ts';

function aPublishing(ctx: TestContext): Publishing {
  const { store } = ctx;
  const checks = new Checks(store);
  const tools = { store, checks, turns: new CheckTurns(checks) };
  const carried = { shown: null, last: null, tip: null, sought: [] };
  const options = { ...workerOf(ctx), carried };
  return new Publishing({ ...tools, search: new LeftoverSearch(store, []) }, options);
}

test('a wrong number in memory is found, and gone after the next publication', () => {
  const ctx = aBoard(6);
  const publishing = aPublishing(ctx);
  const request = { nowMs: ctx.clock.nowMs, isClockSure: true, isForced: false, toForget: null };
  const publish = () => {
    const answer = publishing.answer(request);
    publishing.store();
    return 'data' in answer ? answer.data : undefined;
  };
  const differing = () => {
    const projected = publishing.carried.last?.projected;
    if (!projected) throw new Error('Nothing was projected');
    const slots = Array.from(projected.state.operators.ids.keys());
    return new SpotCheck(ctx.store, projected, slots).run(Number.POSITIVE_INFINITY);
  };
  const state = publish()?.state;
  expect(differing()).toEqual([]);
  expect(publish()).toBeNull();
  if (!state) throw new Error('Nothing was published');

  const { ids, sheets } = state.operators;
  const place = { tool: 0, trust: 'signed', window: 0 } as const;
  const row = placeAt(state.numbers, rowIn(state.numbers, sheets[3] ?? 0, place));
  row.numbers[row.at + 1] = 1_000;
  expect(differing()).toEqual([ids[3]]);

  publishing.distrust();
  expect(publish()?.state.boards.map(({ version }) => version)).toEqual(
    state.boards.map(({ version }) => version),
  );
  expect(differing()).toEqual([]);
  expect(publish()).toBeNull();
});
