/** A board must not depend on the order or the parts in which the same days were submitted. */
import { describe, expect, test } from 'vitest';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  type TestContext,
  anEnrolledDevice,
  publish,
  submit,
  testContext,
} from '#tests/support/board/context.ts';

const ALL = { from: 0, limit: 99 };

/** Twenty uneven days. */
const DAYS = bucketsOfDays(20, '2026-02-15').map((bucket, at) => {
  return { ...bucket, output: 10_000 + 997 * ((at * 7) % 13), model: at % 3 ? 'a' : 'b' };
});

/** Everything that every board shows. */
function boardsOf(ctx: TestContext) {
  const publication = publish(ctx);
  return WINDOWS.flatMap((window) =>
    METRIC_NAMES.map((metric) => {
      const board = publication.window(window);
      return [board.ranked(metric, ALL).entries, board.unranked(metric, ALL).entries];
    }),
  );
}

/** A board of ada and bob, who submit these days in parts, one part from each device. */
async function aBoard(codenames: readonly string[], ...parts: readonly Bucket[][]) {
  const ctx = testContext();
  for (const codename of codenames) {
    for (const part of parts) {
      const device = await anEnrolledDevice(ctx, codename);
      // One operator must be better than the other.
      const times = codename === 'ada' ? 1 : 1.5;
      await submit(
        ctx,
        device,
        part.map((bucket) => ({ ...bucket, input: bucket.input * times })),
      );
    }
  }
  return boardsOf(ctx);
}

describe('the boards', () => {
  test('are the same whatever the order of submissions, their parts and the number of devices', async () => {
    const [even, odd] = [0, 1].map((rest) => DAYS.filter((_, at) => at % 2 === rest)) as [
      Bucket[],
      Bucket[],
    ];
    const expected = await aBoard(['ada', 'bob'], DAYS);

    expect(expected[6]?.[0]).toMatchObject([{ codename: 'ada' }, { codename: 'bob' }]);
    expect(await aBoard(['bob', 'ada'], DAYS.toReversed())).toEqual(expected);
    expect(await aBoard(['bob', 'ada'], odd, even)).toEqual(expected);
  });
});
