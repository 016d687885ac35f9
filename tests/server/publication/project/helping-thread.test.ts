import { describe, expect, test } from 'vitest';
import { databasePath } from '#server/config/config.ts';
import { readInThread } from '#server/publication/project/helping-thread.ts';
import type { Changes } from '#server/publication/project/project-changed.ts';
import { Projection } from '#server/publication/projection.ts';
import { anActive, deleteOperator, tenDays } from '#tests/support/board/boards.ts';
import {
  MIGRATIONS,
  type TestContext,
  projectedAll,
  testContext,
} from '#tests/support/board/context.ts';

const AS_OF = '2026-03-10';
const WORKER = new URL('../../../../src/server/publication/worker.ts', import.meta.url);

function aBoardOf(operators: number): TestContext {
  const ctx = testContext();
  for (let at = 0; at < operators; at += 1) {
    anActive(
      ctx,
      `op-${at}`,
      tenDays({ output: 10_000 + at }),
      at % 5 ? 'signed' : 'self_reported',
    );
  }
  return ctx;
}

function readElsewhere(ctx: TestContext) {
  const options = {
    databasePath: databasePath(ctx.config),
    migrations: MIGRATIONS,
    ruleset: ctx.ruleset,
  };
  return (changes: Changes) => readInThread(WORKER, { ...options, changes });
}

/** What a projection that has read everything itself shows. */
function readAlone(ctx: TestContext) {
  const projection = new Projection(ctx.ruleset);
  projection.refresh(ctx.store, AS_OF);
  return projectedAll(projection);
}

describe('Projection.fill()', () => {
  test('with half of the operators read in another thread, shows the same', async () => {
    const ctx = aBoardOf(7);
    const projection = new Projection(ctx.ruleset);

    await projection.fill(ctx.store, AS_OF, readElsewhere(ctx));
    projection.refresh(ctx.store, AS_OF);

    expect(projectedAll(projection)).toEqual(readAlone(ctx));
  });

  test('leaves what has changed meanwhile to the next refresh', async () => {
    const ctx = aBoardOf(6);
    const projection = new Projection(ctx.ruleset);
    const readThenChange = async (changes: Changes) => {
      const read = await readElsewhere(ctx)(changes);
      for (const codename of ['op-0', 'op-1', 'op-new']) {
        anActive(ctx, codename, tenDays({ model: 'another' }));
      }
      deleteOperator(ctx, 'op-2');
      deleteOperator(ctx, 'op-3');
      return read;
    };

    await projection.fill(ctx.store, AS_OF, readThenChange);
    projection.refresh(ctx.store, AS_OF);

    expect(projectedAll(projection)).toEqual(readAlone(ctx));
  });

  test('reads everything itself where the other thread fails', async () => {
    const ctx = aBoardOf(3);
    const projection = new Projection(ctx.ruleset);
    const nowhere = new URL('nowhere.ts', WORKER);

    await projection.fill(ctx.store, AS_OF, (changes) => readInThread(nowhere, { changes }));
    projection.refresh(ctx.store, AS_OF);

    expect(projectedAll(projection)).toEqual(readAlone(ctx));
  });
});
