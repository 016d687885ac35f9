/** The examples on the ranking page, computed with the board's own functions. */
import { rankContenders } from '#core/domain/board/board.ts';
import { type DayUsage, seriesOf } from '#core/domain/metrics/day-series.ts';
import { exactMetric } from '#core/domain/metrics/metrics.ts';
import { standingOf } from '#core/domain/metrics/standing.ts';
import { quantile975 } from '#core/domain/metrics/student-t.ts';
import { sumPillars } from '#core/domain/counting/bucket.ts';

const FIRST = 20_000;
const SOURCE = { tool: 'example', provider: 'example', model: 'example', trust: 'signed' } as const;

/** Input, output and cache reads of seven days, in thousands. */
const WEEK = [
  [40, 400, 60_000],
  [55, 380, 90_000],
  [30, 310, 70_000],
  [90, 620, 110_000],
  [20, 260, 50_000],
  [35, 300, 45_000],
  [60, 540, 120_000],
] as const;

const week = WEEK.map(([input, output, cache_read], at): DayUsage => {
  const counts = { input: input * 1e3, output: output * 1e3, cache_read: cache_read * 1e3 };
  return { day: FIRST + at, source: SOURCE, ...counts, cache_write: null };
});

const yieldOf = (days: readonly DayUsage[]) => exactMetric('yield', sumPillars(days)) ?? 0;

export function workedInterval() {
  const days = week.map((day) => ({ ...day, without: yieldOf(week.filter((one) => one !== day)) }));
  const n = days.length;
  const logs = days.map(({ without }) => Math.log(without));
  const mean = logs.reduce((sum, one) => sum + one, 0) / n;
  const squares = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const standing = standingOf(seriesOf(week), FIRST, FIRST + n, { active_day_tokens: 1 });
  const [low = 0, high = 0] = standing?.intervals.yield ?? [];
  const error = Math.sqrt(((n - 1) / n) * squares);
  return {
    days,
    n,
    value: yieldOf(week),
    error,
    quantile: quantile975(n - 1),
    low,
    high: high ?? 0,
  };
}

/** Four operators, the highest value first. */
const FOUR = [
  { codename: 'thin', value: 1200, low: 600, high: 2400 },
  { codename: 'steady', value: 1100, low: 800, high: 1500 },
  { codename: 'even', value: 590, low: 500, high: 700 },
  { codename: 'new', value: 165, low: 90, high: 300 },
] as const;

export function workedRanks() {
  const lows = FOUR.map(({ low }) => low);
  const { ranked, ranks, best, worst } = rankContenders({
    lows,
    bounds: { lows, highs: FOUR.map(({ high }) => high) },
    totals: FOUR.map(() => 1),
  });
  return [...ranked].flatMap((position, place) => {
    const one = FOUR[position];
    const [rank = 0, from = 0, to = 0] = [ranks[place], best[place], worst[place]];
    return one ? [{ ...one, rank, from, to }] : [];
  });
}
