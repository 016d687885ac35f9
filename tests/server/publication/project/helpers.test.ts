import { expect, test, vi } from 'vitest';
import { databasePath } from '#server/config/config.ts';
import { Projection } from '#server/publication/projection.ts';
import { publish } from '#server/publication/publish.ts';
import { anActive } from '#tests/support/board/boards.ts';
import { bucketsOfDays, DAY_MS } from '#tests/support/board/builders.ts';
import {
  MIGRATIONS,
  publicationIn,
  type TestContext,
  testContext,
} from '#tests/support/board/context.ts';
import { WORKER } from '#tests/support/board/publisher.ts';

const ALL = { from: 0, limit: 99 };

/** Ten operators with different tools, so that threads find them in another order. */
function aBoard(): TestContext {
  const ctx = testContext();
  for (let index = 0; index < 10; index += 1) {
    const over = { tool: `tool-${(7 * index) % 4}`, model: `model-${(3 * index) % 5}` };
    const trust = index === 8 ? 'self_reported' : 'signed';
    anActive(ctx, `op-${index}`, bucketsOfDays(15 + index, '2026-02-15', over), trust);
  }
  return ctx;
}

function helpersOf({ config }: TestContext, workerUrl: string, onFailure = vi.fn()) {
  const access = { databasePath: databasePath(config), migrations: MIGRATIONS };
  return { workerUrl, access, fewest: 0, patienceMs: 20_000, onFailure };
}

/** What a projection shows on a day and the next one, with a change on each. */
function shownOn(ctx: TestContext, projection: Projection, nowMs: number) {
  const data = publish(ctx.store, projection, nowMs);
  const publication = publicationIn(ctx, data);
  return data.state.boards.map(({ window, slice, version }) => {
    const board = publication.window(window, slice);
    const lists = [board.ranked('yield', ALL), board.unranked('snr', ALL)];
    const parts = publication.operators.codenames().map((name) => board.parts(name));
    return { window, slice, version, lists, parts };
  });
}

test('boards are the same whether threads help or not, also on the next day', () => {
  const ctx = aBoard();
  const alone = new Projection(ctx.ruleset);
  const helpers = helpersOf(ctx, WORKER.href);
  const helped = new Projection(ctx.ruleset, null, helpers);

  for (const day of [0, 1]) {
    const nowMs = ctx.clock.nowMs + day * DAY_MS;
    const expected = shownOn(ctx, alone, nowMs);
    expect(expected.length).toBeGreaterThan(20);
    expect(shownOn(ctx, helped, nowMs)).toEqual(expected);
    anActive(ctx, `new-${day}`, bucketsOfDays(5, '2026-03-01', { tool: 'tool-2' }));
    expect(shownOn(ctx, helped, nowMs)).toEqual(shownOn(ctx, alone, nowMs));
  }
  expect(helpers.onFailure).not.toHaveBeenCalled();
});

test('a thread that fails is replaced by the projecting thread', () => {
  const ctx = aBoard();
  const missing = new URL('missing.mjs', WORKER).href;
  const options = { ...helpersOf(ctx, missing), patienceMs: 50 };

  const shown = shownOn(ctx, new Projection(ctx.ruleset, null, options), ctx.clock.nowMs);

  expect(shown).toEqual(shownOn(ctx, new Projection(ctx.ruleset), ctx.clock.nowMs));
  expect(options.onFailure).toHaveBeenCalledOnce();
});
