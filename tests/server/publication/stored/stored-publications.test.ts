import { describe, expect, test } from 'vitest';
import { changeVisibility } from '#server/operator/visibility.ts';
import { compacted } from '#server/publication/project/compact.ts';
import { Projection } from '#server/publication/projection.ts';
import { publish } from '#server/publication/publish.ts';
import { bytesBetween } from '#server/publication/state/blocks.ts';
import type { BoardState } from '#server/publication/state/board-state.ts';
import {
  readPublications,
  type StoredTip,
  storePublication,
} from '#server/publication/stored/stored-publications.ts';
import { anActive, deleteOperator } from '#tests/support/board/boards.ts';
import { bucketsOfDays, DAY_MS } from '#tests/support/board/builders.ts';
import {
  execute,
  publicationIn,
  type TestContext,
  testContext,
} from '#tests/support/board/context.ts';
import { aPublisher, untilStored } from '#tests/support/board/publisher.ts';

/** A board whose publications are stored one after the other. */
class Storing {
  readonly ctx: TestContext = testContext();
  readonly projection = new Projection(this.ctx.ruleset);
  tip: StoredTip | null = null;

  publish(): BoardState {
    const { store, clock } = this.ctx;
    const { head, state } = publish(store, this.projection, clock.nowMs);
    const { projected } = this.projection;
    if (projected) this.tip = storePublication(store, head.id, projected, this.tip);
    return state;
  }

  read() {
    return readPublications(this.ctx.store);
  }
}

function aStoredBoard(): Storing {
  const storing = new Storing();
  for (const [index, name] of ['ada', 'bob', 'cat'].entries()) {
    anActive(storing.ctx, name, bucketsOfDays(20, '2026-02-15', { output: 9_000 + 500 * index }));
  }
  storing.publish();
  return storing;
}

/** What pages show of a state. */
function shown(ctx: TestContext, state: BoardState) {
  const head = { id: 1, log_index: 1, as_of: '2026-03-10', ruleset: '1', generated_at: '' };
  const publication = publicationIn(ctx, { head, state });
  return state.boards.map(({ window, slice, version }) => {
    const board = publication.window(window, slice);
    const lists = [board.ranked('yield', ALL), board.unranked('yield', ALL)];
    return { version, lists, names: publication.operators.codenames() };
  });
}

const ALL = { from: 0, limit: 99 };

describe('stored publications', () => {
  test('are read as they were made: an image, and the changes since', () => {
    const storing = aStoredBoard();
    const { ctx } = storing;
    const states = [
      () => anActive(ctx, 'dan', bucketsOfDays(12, '2026-02-20', {}), 'self_reported'),
      () => {
        const id = ctx.store.operators.byCodename('bob')?.id ?? 0;
        ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode: 'private' }));
      },
      () => deleteOperator(ctx, 'ada'),
    ].map((change) => {
      change();
      return storing.publish();
    });

    const read = storing.read();
    expect(read.map(({ data }) => data.head.id)).toEqual([2, 3, 4]);
    expect(read.map(({ data }) => shown(ctx, data.state))).toEqual(
      states.map((state) => shown(ctx, state)),
    );
    expect(ctx.store.publications.builtOn(1).length).toBeGreaterThan(1);
  });

  test('let a projection continue where another one ended', () => {
    const storing = aStoredBoard();
    const [last] = storing.read();
    anActive(storing.ctx, 'dan', bucketsOfDays(12, '2026-02-20'));

    const { ctx, projection } = storing;
    const resumed = new Projection(ctx.ruleset, last?.projected);
    const nowMs = ctx.clock.nowMs;
    expect(shown(ctx, publish(ctx.store, resumed, nowMs).state)).toEqual(
      shown(ctx, publish(ctx.store, projection, nowMs).state),
    );
  });

  test('begin with a new image each day, and once the changes are as large as one', () => {
    const storing = aStoredBoard();
    storing.publish();
    expect(storing.tip?.base).toBe(1);
    storing.ctx.clock.nowMs += DAY_MS;
    storing.publish();
    expect(storing.tip?.base).toBe(3);

    for (let turn = 0; turn < 60 && storing.tip?.base === 3; turn += 1) storing.publish();
    expect(storing.tip).toMatchObject({ base: storing.tip?.id, changedBytes: 0 });
  });

  test('are left out from the first one on that cannot be read', () => {
    const storing = aStoredBoard();
    storing.publish();
    storing.publish();
    execute(storing.ctx, `DELETE FROM publication_parts WHERE publication_id = 2`);

    expect(storing.read().map(({ data }) => data.head.id)).toEqual([1]);
    execute(storing.ctx, `UPDATE publication_parts SET body = x'00'`);
    expect(storing.read()).toEqual([]);
  });
});

describe('a restarted board', () => {
  /** Starts a board that stores a publication and ends. Returns the publication. */
  async function startOnce(ctx: TestContext) {
    const publisher = aPublisher(ctx);
    await publisher.start();
    await untilStored(ctx, publisher);
    await publisher.close();
    return ctx.store.publications.kept()[0];
  }

  test('stores only what changed since its last publication', async () => {
    const ctx = testContext();
    anActive(ctx, 'ada', bucketsOfDays(20, '2026-02-15'));
    const first = await startOnce(ctx);
    anActive(ctx, 'bob', bucketsOfDays(20, '2026-02-15'));
    const second = await startOnce(ctx);

    expect(second).toMatchObject({ id: 2, base: first?.id });
    const [, changed] = readPublications(ctx.store);
    expect(changed?.tip.changedBytes).toBeGreaterThan(0);
    expect(changed?.tip.changedBytes).toBeLessThan(changed?.tip.imageBytes ?? 0);
  });

  test('stores an image if its last publication cannot be read', async () => {
    const ctx = testContext();
    anActive(ctx, 'ada', bucketsOfDays(20, '2026-02-15'));
    await startOnce(ctx);
    await startOnce(ctx);
    execute(ctx, 'DELETE FROM publication_parts WHERE publication_id = 2');

    expect(await startOnce(ctx)).toMatchObject({ id: 3, base: 3 });
  });
});

describe('compacted()', () => {
  test('shows the same from new memory, without anything of an account that is gone', () => {
    const storing = aStoredBoard();
    const { ctx, projection } = storing;
    anActive(
      ctx,
      'gone',
      bucketsOfDays(20, '2026-02-15', { tool: 'her-tool', model: 'her-model' }),
    );
    storing.publish();
    deleteOperator(ctx, 'gone');
    const state = storing.publish();
    const before = projection.projected;
    if (!before) throw new Error('Nothing was projected');

    const after = compacted(before);

    expect(shown(ctx, after.state)).toEqual(shown(ctx, state));
    expect(after.nextNumber).toBeLessThan(before.nextNumber);
    const texts = (of: typeof after) =>
      Buffer.concat(bytesBetween(of.state.texts, 0, of.nextText)).toString();
    expect(texts(before)).toContain('gone');
    expect(texts(after)).not.toContain('gone');
    expect(JSON.stringify([after.state.toolNames, after.state.sources])).not.toContain('her-');
    const resumed = new Projection(ctx.ruleset, after);
    anActive(ctx, 'new', bucketsOfDays(20, '2026-02-15', { tool: 'her-tool' }));
    expect(shown(ctx, publish(ctx.store, resumed, ctx.clock.nowMs).state)).toEqual(
      shown(ctx, publish(ctx.store, projection, ctx.clock.nowMs).state),
    );
  });
});
