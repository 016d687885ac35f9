import { describe, expect, test } from 'vitest';
import { changeVisibility } from '#server/operator/visibility.ts';
import { thinEarlierDays } from '#server/publication/project/keep-days.ts';
import { pinBoards } from '#server/public-log/pin-boards.ts';
import { DAY_MS, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  execute,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { exportOf, forge, signAnew, verify } from '#tests/support/board/public-log.ts';

/** A board with stored days from 10 March on, of two operators. */
async function aBoard({ days = 1 } = {}): Promise<TestContext> {
  const ctx = testContext();
  for (const name of ['ada', 'bob']) {
    await submit(ctx, await anEnrolledDevice(ctx, name), bucketsOfDays(8, '2026-03-03'));
  }
  for (let day = 0; day < days; day += 1) goOn(ctx);
  return ctx;
}

/** Publishes, and goes on to the next day. */
function goOn(ctx: TestContext): void {
  publishAndKeep(ctx);
  ctx.clock.nowMs += DAY_MS;
  publishAndKeep(ctx);
}

const pin = (ctx: TestContext) => pinBoards(ctx.store, ctx.now());

function pinned(ctx: TestContext) {
  return ctx.store.log.ofKind('board', 0).map(({ payload }) => {
    return JSON.parse(Buffer.from(payload ?? []).toString()) as { day: string; sha256: string };
  });
}

const findingsOf = (lines: readonly string[]) => verify(lines).findings;

describe('pinBoards()', () => {
  test('enters the digest of the lines of the public log, once', async () => {
    const ctx = await aBoard();
    pin(ctx);
    const lines = exportOf(ctx);

    pin(ctx);

    expect(pinned(ctx)).toMatchObject([{ day: '2026-03-10', log_index: 8 }]);
    expect(exportOf(ctx)).toEqual(lines);
    expect(findingsOf(lines)).toEqual([]);
  });

  test('enters each later day, also if the board was stopped meanwhile', async () => {
    const ctx = await aBoard();
    pin(ctx);
    goOn(ctx);
    goOn(ctx);

    pin(ctx);

    expect(pinned(ctx).map(({ day }) => day)).toEqual(['2026-03-10', '2026-03-11', '2026-03-12']);
    expect(findingsOf(exportOf(ctx))).toEqual([]);
  });

  test('begins with the newest day on a board that was upgraded', async () => {
    const ctx = await aBoard({ days: 3 });

    pin(ctx);

    expect(pinned(ctx).map(({ day }) => day)).toEqual(['2026-03-12']);
  });

  test('enters nothing before a day is over', async () => {
    const ctx = testContext();
    publishAndKeep(ctx);

    pin(ctx);

    expect(pinned(ctx)).toEqual([]);
  });

  test('enters a day again if its board was stored again', async () => {
    const ctx = await aBoard();
    pin(ctx);
    execute(ctx, 'UPDATE daily_publications SET log_index = log_index - 1');

    pin(ctx);
    pin(ctx);

    expect(pinned(ctx)).toMatchObject([{ log_index: 8 }, { log_index: 7 }]);
  });
});

describe('a pinned board', () => {
  /** Rows that nobody can recompute, because the operator is anonymous. */
  async function aBoardWithAnonymous() {
    const ctx = await aBoard({ days: 0 });
    const id = ctx.store.operators.byCodename('bob')?.id ?? 0;
    ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode: 'anonymous' }));
    goOn(ctx);
    pin(ctx);
    return ctx;
  }

  /** The public log after the board changed the values of an anonymous row, and signed everything anew. */
  function exchanged(ctx: TestContext): string[] {
    const lines = exportOf(ctx);
    const row = lines.findIndex((line) => line.includes('"operator":null'));
    const text = forge(lines[row] ?? '', (line) => {
      const { windows } = line as unknown as { windows: { '7d': { velocity: number[] } } };
      windows['7d'].velocity[1] = 5;
    });
    return signAnew(ctx, lines.with(row, text));
  }

  test('cannot be exchanged, even where it cannot be recomputed', async () => {
    const ctx = await aBoardWithAnonymous();

    expect(findingsOf(exchanged(ctx))).toContainEqual(
      expect.objectContaining({
        code: 'board_pinned',
        as_of: '2026-03-10',
        message: expect.stringContaining('is not the one that was shown') as string,
      }),
    );
  });

  test('cannot be left out', async () => {
    const ctx = await aBoardWithAnonymous();
    execute(ctx, 'DELETE FROM day_places; DELETE FROM day_values; DELETE FROM daily_publications');

    expect(findingsOf(exportOf(ctx))).toMatchObject([
      { code: 'board_pinned', message: expect.stringContaining('is missing') },
    ]);
  });

  test('is not compared after operators changed what it shows', async () => {
    const ctx = await aBoardWithAnonymous();
    const id = ctx.store.operators.byCodename('ada')?.id ?? 0;
    ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode: 'private' }));

    expect(verify(exportOf(ctx)).codes).not.toContain('board_pinned');
  });

  test('is not compared after its values were deleted', async () => {
    const ctx = await aBoardWithAnonymous();
    goOn(ctx);
    pin(ctx);
    thinEarlierDays(ctx.store, '2026-03-12', 1);

    expect(findingsOf(exportOf(ctx))).toEqual([]);
  });
});
