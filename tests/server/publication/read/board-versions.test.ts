import { expect, test } from 'vitest';
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { readLeaderboard } from '#server/board/leaderboard.ts';
import { changeVisibility } from '#server/operator/visibility.ts';
import { DAY_MS, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { aPublisher, publishThrough } from '#tests/support/board/publisher.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const ALL_TIME = { window: 'all_time', limit: '1' };

async function send(ctx: TestContext, codename: string, output: number): Promise<void> {
  const buckets = bucketsOfDays(20, '2025-03-01', { output });
  await submit(ctx, await anEnrolledDevice(ctx, codename), buckets);
}

/** A board of two operators whose days are long past. */
async function aSettledBoard() {
  const ctx = testContext();
  await send(ctx, 'ada', 20_000);
  await send(ctx, 'bob', 10_000);
  const publisher = aPublisher(ctx);
  await publishThrough(ctx, publisher);
  return { ctx, publisher };
}

const read = (ctx: TestContext, query: object) =>
  readLeaderboard(ctx, LeaderboardQuery.parse({ ...ALL_TIME, ...query }));

test('a cursor works as long as its board stays the same, even after a restart', async () => {
  const { ctx, publisher } = await aSettledBoard();
  ctx.clock.nowMs += DAY_MS;
  await publisher.publish();
  const { next_cursor } = read(ctx, {});
  for (let day = 0; day < 4; day += 1) {
    ctx.clock.nowMs += DAY_MS;
    await publisher.publish();
  }

  expect(read(ctx, {}).next_cursor).toBe(next_cursor);
  expect(read(ctx, { cursor: next_cursor }).entries).toMatchObject([{ rank: 2 }]);
  await publisher.close();
  const restarted = aPublisher(ctx);
  await restarted.start();
  expect(restarted.publication(Number(next_cursor?.split('.')[0]))).toBeDefined();
});

test('a cursor of a changed board continues, even when an operator is hidden', async () => {
  const { ctx, publisher } = await aSettledBoard();
  const { next_cursor: cursor } = read(ctx, {});
  await send(ctx, 'cat', 5000);
  await publisher.publish();

  expect(read(ctx, {}).next_cursor).not.toBe(cursor);
  expect(read(ctx, { cursor }).entries).toMatchObject([{ rank: 2 }]);
  const id = ctx.store.operators.byCodename('ada')?.id ?? 0;
  ctx.store.transaction(() => changeVisibility(ctx, id, { privacy_mode: 'private' }));
  await publisher.publishNow({ hides: true });
  expect(read(ctx, { cursor })).toMatchObject({ total: 1, entries: [{ rank: 2 }] });
});

test('a cursor of one stored day does not lead to the board of another', async () => {
  const { ctx, publisher } = await aSettledBoard();
  ctx.clock.nowMs += DAY_MS;
  await publisher.publish();
  const as_of = publisher.edition?.publication.as_of;
  const { next_cursor: cursor } = read(ctx, { as_of });
  ctx.clock.nowMs += DAY_MS;
  await publisher.publish();

  expect(read(ctx, { as_of, cursor })).toMatchObject({ as_of, entries: [{ rank: 2 }] });
  for (let day = 0; day < 3; day += 1) {
    ctx.clock.nowMs += DAY_MS;
    await publisher.publish();
  }
  expect(() => read(ctx, { as_of, cursor })).toThrow(refusal('cursor_expired'));
});
