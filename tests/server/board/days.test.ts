import { expect, test } from 'vitest';
import { Days, DaysQuery } from '#core/contract/leaderboard.ts';
import { readDays } from '#server/board/days.ts';
import { DAY_MS, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  anEnrolledDevice,
  publishAndKeep,
  submit,
  testContext,
} from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const ask = (query: object = {}) => DaysQuery.parse(query);

test('days with stored boards are listed in pages, newest first', async () => {
  const ctx = testContext();
  await submit(ctx, await anEnrolledDevice(ctx, 'ada'), bucketsOfDays(9, '2026-03-01'));
  expect(readDays(ctx, ask())).toEqual({ total: 0, entries: [], next_cursor: null });
  for (let day = 0; day < 4; day += 1) {
    publishAndKeep(ctx);
    ctx.clock.nowMs += DAY_MS;
  }

  const all = readDays(ctx, ask());
  expect(Days.parse(all)).toEqual(all);
  expect(all.entries.map(({ day }) => day)).toEqual(['2026-03-12', '2026-03-11', '2026-03-10']);
  const first = readDays(ctx, ask({ limit: '2' }));
  expect(first).toMatchObject({ total: 3, next_cursor: '2026-03-11' });
  const second = readDays(ctx, ask({ limit: '2', cursor: first.next_cursor }));
  expect(second).toMatchObject({ entries: [{ day: '2026-03-10' }], next_cursor: null });
  expect(() => readDays(ctx, ask({ cursor: 'x' }))).toThrow(refusal('query_invalid'));
});
