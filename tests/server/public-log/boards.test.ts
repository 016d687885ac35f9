import { expect, test } from 'vitest';
import { updateProfile } from '#server/operator/update-profile.ts';
import { currentBoard, dailyBoard, linesOfBoard } from '#server/public-log/boards.ts';
import { anActive, tenDays } from '#tests/support/board/boards.ts';
import { DAY_MS } from '#tests/support/board/builders.ts';
import { publishAndKeep, testContext } from '#tests/support/board/context.ts';

test('a board states the number of its rows, counting currently public operators', async () => {
  const ctx = testContext();
  for (const [at, name] of ['ada', 'bob', 'carol'].entries()) {
    anActive(ctx, name, tenDays({ output: 10_000 + at }));
  }
  publishAndKeep(ctx);
  ctx.clock.nowMs += DAY_MS;
  publishAndKeep(ctx);
  const { id = 0 } = ctx.store.operators.byCodename('bob') ?? {};
  await updateProfile(ctx, id, { privacy_mode: 'private' });
  publishAndKeep(ctx);

  for (const board of [dailyBoard(ctx.store, '2026-03-10'), currentBoard(ctx.store)]) {
    if (!board) throw new Error('There is no board');
    const [head, ...rows] = linesOfBoard(board, ctx.store.publicLog.operators());
    expect(head).toMatchObject({ line: 'board', rows: rows.length });
    // On the boards of all tools and of the tool they used.
    const names = rows.map((row) => ('name' in row ? row.name : ''));
    expect(names).toEqual(['ada', 'carol', 'ada', 'carol']);
  }
});
