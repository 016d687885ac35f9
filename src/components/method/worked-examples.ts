/** The examples on the ranking page, computed with the board's own functions. */
import { rankContenders } from '#core/domain/board/board.ts';
import { RULESET, RULESET_2 } from '#core/domain/board/ruleset.ts';
import { sumPillars } from '#core/domain/counting/bucket.ts';
import { DRAWN_IN, conservativeOf } from '#core/domain/metrics/conservative.ts';
import { type DayUsage, rangeOf, seriesOf } from '#core/domain/metrics/day-series.ts';
import { exactMetric } from '#core/domain/metrics/metrics.ts';
import { type StandingRules, standingOf } from '#core/domain/metrics/standing.ts';
import { quantile, quantile975 } from '#core/domain/metrics/student-t.ts';
import { halfWidth, weekSpread } from '#core/domain/metrics/week-interval.ts';

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
const series = seriesOf(week);
const last = FIRST + week.length - 1;

const yieldOf = (days: readonly DayUsage[]) => exactMetric('yield', sumPillars(days)) ?? 0;

/** The interval of version 1, which leaves out each day in turn. */
export function workedByDays() {
  const days = week.map((day) => ({ ...day, without: yieldOf(week.filter((one) => one !== day)) }));
  const n = days.length;
  const logs = days.map(({ without }) => Math.log(without));
  const mean = logs.reduce((sum, one) => sum + one, 0) / n;
  const squares = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const error = Math.sqrt(((n - 1) / n) * squares);
  return { days, n, error, quantile: quantile975(n - 1), ...resultBy(RULESET) };
}

/** The interval of version 2, which compares weeks. */
export function workedByWeeks() {
  const sums = sumPillars(week);
  const days = week.map((day) => {
    const ofInput = day.input / sums.input;
    const others = day.output / sums.output + (day.cache_read ?? 0) / (sums.cache_read ?? 1);
    return { ...day, share: (2 * ofInput + others) / 4, influence: others - 2 * ofInput };
  });
  const range = rangeOf(series.read, FIRST, last);
  const spread = weekSpread(range, 'yield');
  return {
    days,
    concentration: days.reduce((sum, { share }) => sum + share * share, 0),
    spread: Math.sqrt(spread.variance),
    freedom: spread.freedom,
    quantile: quantile(0.95, spread.freedom),
    half: halfWidth(range, 'yield', spread, 0.95),
    ...resultBy(RULESET_2),
  };
}

function resultBy(rules: StandingRules) {
  const standing = standingOf(series, FIRST, last, rules);
  const [low = 0, high = 0] = standing?.intervals.yield ?? [];
  return {
    value: yieldOf(week),
    low,
    high: high ?? 0,
    conservative: standing?.conservative.yield ?? 0,
  };
}

/** Four operators, the highest value first. */
const FOUR = [
  { codename: 'thin', value: 1200, low: 600, high: 2400 },
  { codename: 'steady', value: 1100, low: 800, high: 1500 },
  { codename: 'even', value: 590, low: 500, high: 700 },
  { codename: 'new', value: 165, low: 90, high: 300 },
] as const;

/** The four as a board ranks them under a version of the ranking rules. */
export function workedRanks(version: number) {
  const drawn = version === 1 ? 1 : DRAWN_IN;
  const conservative = FOUR.map(({ value, low }) => {
    return version === 1 ? low : conservativeOf('yield', value, low);
  });
  const boundsOf = (end: 'high' | 'low') =>
    FOUR.map(({ value, [end]: bound }) => value * (bound / value) ** drawn);
  const { ranked, ranks, best, worst } = rankContenders({
    lows: conservative,
    bounds: { lows: boundsOf('low'), highs: boundsOf('high') },
    totals: FOUR.map(() => 1),
  });
  return [...ranked].flatMap((position, place) => {
    const one = FOUR[position];
    const [rank = 0, from = 0, to = 0] = [ranks[place], best[place], worst[place]];
    return one ? [{ ...one, conservative: conservative[position] ?? 0, rank, from, to }] : [];
  });
}
