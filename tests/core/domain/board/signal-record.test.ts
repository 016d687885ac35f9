import { describe, expect, test } from 'vitest';
import { dayNumber } from '#core/domain/counting/day.ts';
import { type DayUsage, seriesOf } from '#core/domain/metrics/day-series.ts';
import { METRIC_NAMES, forEachMetric } from '#core/domain/metrics/metrics.ts';
import { RULESET, type Ruleset, eligibilityIn } from '#core/domain/board/ruleset.ts';
import {
  bestWindows,
  recordChain,
  recordReach,
  stillHolds,
} from '#core/domain/board/signal-record.ts';
import { statedSpans } from '#core/domain/board/stated-share.ts';
import { standingOf } from '#core/domain/metrics/standing.ts';
import { rankingValue } from '#core/domain/board/board.ts';

const TODAY = dayNumber('2026-03-10');
const SOURCE = { tool: 'a', provider: 'p', model: 'm', trust: 'signed' } as const;
const NOTHING = forEachMetric(() => 0);
const ELIGIBILITY = eligibilityIn(RULESET, '30d');

/** Days before today with varying tokens. Some report no cache. */
function aSeries(days: number, leaveOut = 7) {
  const usage = Array.from({ length: days }, (_, at): DayUsage => {
    const size = 1 + ((at * 37) % 11);
    return {
      day: TODAY - days + 1 + at,
      source: SOURCE,
      input: 1_000 * (1 + ((at * 13) % 5)),
      output: 4_000 * size,
      cache_write: 9_000 * size,
      cache_read: at % leaveOut === 3 ? null : 90_000 * (1 + ((at * 17) % 7)),
    };
  });
  return seriesOf(usage);
}

/** The best value of a metric in the windows that end 1 to 35 days before today. */
function bestByHand(series: ReturnType<typeof seriesOf>, metric: (typeof METRIC_NAMES)[number]) {
  const values = Array.from({ length: 35 }, (_, at) => {
    const last = TODAY - 35 + at;
    const standing = standingOf(series, last - 29, last, RULESET);
    return standing ? (rankingValue(standing, metric, ELIGIBILITY) ?? 0) : 0;
  });
  return Math.max(...values);
}

describe('bestWindows()', () => {
  const terms = { ruleset: RULESET, above: NOTHING, stated: null, isOnTime: () => true };

  test.each(METRIC_NAMES)('finds the best of all earlier windows by %s', (metric) => {
    for (const days of [5, 12, 40, 90]) {
      for (const leaveOut of [7, 50]) {
        const series = aSeries(days, leaveOut);
        const best = bestWindows(series, TODAY, terms)[metric]?.value ?? 0;
        expect(best).toBe(bestByHand(series, metric));
        expect(recordReach(series, TODAY, ELIGIBILITY)[metric]).toBeGreaterThanOrEqual(best);
      }
    }
  });

  test('takes the first window with enough stated days, also among windows with equal counts', () => {
    const usage = Array.from({ length: 10 }, (_, at): DayUsage => {
      const counts = { input: 1_000, output: 40_000, cache_write: 9_000, cache_read: 900_000 };
      return { day: TODAY - 39 + at, source: SOURCE, ...counts };
    });
    const days = [TODAY - 80, ...usage.map(({ day }) => day)];
    const stated = statedSpans(days, [[TODAY - 29, TODAY - 1]]);
    const best = (ruleset: Ruleset) =>
      bestWindows(seriesOf(usage), TODAY, { ...terms, ruleset, stated }).yield?.last;

    expect(best(RULESET)).toBe(TODAY - 33);
    // With ten stated days of 30 until 30 days ago, and one more with each day.
    expect(best({ ...RULESET, stated_days: 0.5 })).toBe(TODAY - 25);
    expect(best({ ...RULESET, stated_days: 1 })).toBe(TODAY - 10);
  });

  test('leaves out windows that are not above a value, or late', () => {
    const series = aSeries(90, 50);
    const { value, last } = bestWindows(series, TODAY, terms).yield ?? { value: 0, last: 0 };
    expect(last).toBeLessThan(TODAY - 6);

    const above = { ...NOTHING, yield: value };
    expect(bestWindows(series, TODAY, { ...terms, above }).yield).toBeNull();
    const late = bestWindows(series, TODAY, { ...terms, isOnTime: (day) => day !== last }).yield;
    expect(late?.value).toBeLessThan(value);
    const none = bestWindows(series, TODAY, { ...terms, isOnTime: () => false }).yield;
    expect(none?.last).toBeGreaterThanOrEqual(TODAY - 6);
  });
});

test('stillHolds() as long as the days give at least the value', () => {
  const series = aSeries(40, 50);
  const standing = standingOf(series, TODAY - 29, TODAY, RULESET);
  const value = standing?.intervals.yield?.[0] ?? 0;
  const record = { metric: 'yield', last: TODAY } as const;

  expect(stillHolds(series, { ...record, value }, RULESET)).toBe(true);
  expect(stillHolds(series, { ...record, value: value * 1.000001 }, RULESET)).toBe(false);
  expect(stillHolds(seriesOf([]), { ...record, value }, RULESET)).toBe(false);
});

describe('recordChain()', () => {
  const record = (operator_id: number, value: number) => ({ operator_id, value });

  test('contains records above the one before, newest first', () => {
    const set = [record(1, 5), record(2, 7), record(3, 6), record(4, 7), record(5, 9)];
    expect(recordChain(set)).toEqual([record(5, 9), record(2, 7), record(1, 5)]);
  });

  test('lists operators who beat their own record once', () => {
    const set = [record(1, 5), record(1, 6), record(2, 7), record(1, 8), record(1, 9)];
    expect(recordChain(set)).toEqual([record(1, 9), record(2, 7), record(1, 6)]);
  });

  test('closes the gap if one is gone', () => {
    expect(recordChain([record(1, 5), record(3, 6)])).toEqual([record(3, 6), record(1, 5)]);
    expect(recordChain([])).toEqual([]);
  });
});
