/** Work grows with the number of operators and days, and not faster. */
import { describe, expect, test } from 'vitest';
import { rankContenders } from '#core/domain/board/board.ts';
import { type DayUsage, seriesOf } from '#core/domain/metrics/day-series.ts';
import { standingOf } from '#core/domain/metrics/standing.ts';
import { randomOf } from '../../scripts/random.mjs';

const SOURCE = { tool: 't', provider: 'p', model: 'm', trust: 'signed' } as const;
const TIMES = 16;
/** Four times as long as linear growth would take. Quadratic growth takes sixteen times as long. */
const MOST = 4 * TIMES;

/** The shortest of several runs, in milliseconds. The others had to wait for other processes. */
function fastest(work: () => void): number {
  const runs = Array.from({ length: 9 }, () => {
    const startedMs = performance.now();
    work();
    return performance.now() - startedMs;
  });
  return Math.min(...runs);
}

function usageOf(days: number): DayUsage[] {
  const random = randomOf(1);
  const count = () => 1 + Math.floor(random() * 1e6);
  return Array.from({ length: days }, (_, day) => {
    const counts = { input: count(), output: count(), cache_write: count(), cache_read: count() };
    return { day, source: SOURCE, ...counts };
  });
}

describe('the work', () => {
  test('of a standing with its intervals grows with the days', () => {
    // Longer columns become large objects, whose memory the system provides at a cost of its own.
    const [short, long] = [500, 500 * TIMES].map((days) => {
      const usage = usageOf(days);
      const stand = () => standingOf(seriesOf(usage), 0, days, { active_day_tokens: 10_000 });
      // Each number of days needs its quantile once, and a board has few such numbers.
      stand();
      return fastest(stand);
    });

    expect((long ?? 0) / (short ?? 1)).toBeLessThan(MOST);
  });

  test.each([
    ['different', 1],
    ['mostly equal', 1e-4],
  ])('of a ranking of %s values grows with the operators', (_, scale) => {
    const [few, many] = [20_000, 20_000 * TIMES].map((operators) => {
      const random = randomOf(2);
      const lows = Float64Array.from({ length: operators }, () =>
        Math.floor(random() * 1e6 * scale),
      );
      const highs = lows.map((low) => low + random() * 1e5);
      return fastest(() => rankContenders({ lows, bounds: { lows, highs }, totals: highs }));
    });

    expect((many ?? 0) / (few ?? 1)).toBeLessThan(MOST);
  });
});
