/** A year or a month of an operator in review. */
import type { ClassTier } from '#core/schema/board.ts';
import { totalOf } from '../counting/bucket.ts';
import { dayName, dayNumber, FIRST_DAY } from '../counting/day.ts';
import { type DayCounts, seriesOf } from '../metrics/day-series.ts';
import { type HistoryInterval, type HistoryPeriod, historyOf } from '../metrics/history.ts';
import { type Standing, type StandingRules, standingOf } from '../metrics/standing.ts';

/** A year or a month, with its days by number. */
export interface ReviewSpan {
  /** `YYYY` or `YYYY-MM`. */
  name: string;
  kind: 'month' | 'year';
  first: number;
  last: number;
}

/** Reads the name of a year or month; null for anything else, and before the first day that counts can be about. */
export function reviewSpan(name: string): ReviewSpan | null {
  const [, year, month] = /^(\d{4})(?:-(0[1-9]|1[0-2]))?$/.exec(name) ?? [];
  if (year === undefined || year < FIRST_DAY.slice(0, 4)) return null;
  const kind = month === undefined ? 'year' : 'month';
  const first = Date.UTC(Number(year), Number(month ?? 1) - 1);
  const next =
    kind === 'year' ? Date.UTC(Number(year) + 1, 0) : Date.UTC(Number(year), Number(month));
  const numberOf = (ms: number) => dayNumber(new Date(ms).toISOString().slice(0, 10));
  return { name, kind, first: numberOf(first), last: numberOf(next) - 1 };
}

/** The year or month with a day. */
export function spanWith(kind: ReviewSpan['kind'], day: number): ReviewSpan | null {
  return reviewSpan(dayName(day).slice(0, kind === 'year' ? 4 : 7));
}

/** The days of an operator that can be reviewed, by number. */
interface Reviewable {
  /** The first day with tokens. */
  first: number;
  today: number;
}

/** Whether a span is over before the first day, or begins after today; null if it can be reviewed. */
export function outsideOf(
  { first, last }: ReviewSpan,
  known: Reviewable,
): 'before' | 'future' | null {
  if (first > known.today) return 'future';
  return last < known.first ? 'before' : null;
}

/** Why there is no review of a period. */
export interface NoReview {
  reason: 'before' | 'empty' | 'future' | 'invalid';
  /** The first day with tokens; null if there is none. */
  first_day: string | null;
}

/** An operator's rank and class at the end of a period, or now if it is not over. */
export interface PeriodEnd {
  day: string;
  /** On the board of all tools by yield over 30 days; null while unranked. */
  rank: number | null;
  class_tier: ClassTier;
}

/** The names of the spans before and after one; null where there is nothing to review. */
export function spansAround(span: ReviewSpan, known: Reviewable) {
  const nameWith = (day: number) => {
    const found = spanWith(span.kind, day);
    return found && outsideOf(found, known) === null ? found.name : null;
  };
  return { previous: nameWith(span.first - 1), next: nameWith(span.last + 1) };
}

/** The last month with tokens and all years with tokens, newest first. */
export function reviewNames(usage: readonly DayCounts[]): string[] {
  const days = usage.filter((counts) => totalOf(counts) > 0).map(({ day }) => dayName(day));
  const years = new Set(days.map((day) => day.slice(0, 4)));
  return [...days.slice(-1).map((day) => day.slice(0, 7)), ...[...years].reverse()];
}

/** The day or week with the most tokens, and the one with the highest yield. */
export interface BestPeriods {
  most: HistoryPeriod;
  /** Of those with the tokens of an active day; null if none has a yield. */
  highest: HistoryPeriod | null;
}

export interface Review {
  standing: Standing;
  best: Record<HistoryInterval, BestPeriods>;
  /** The months of a year with tokens. */
  months: { name: string; standing: Standing }[];
}

/**
 * What an operator's counts of a year or month come to; null without tokens.
 *
 * @param usage Counting buckets, sorted by day; their total is at most 2^53-1.
 */
export function reviewOf(
  usage: readonly DayCounts[],
  span: ReviewSpan,
  rules: StandingRules,
): Review | null {
  const within = usage.filter(({ day }) => day >= span.first && day <= span.last);
  const series = seriesOf(within);
  const standing = standingOf(series, span.first, span.last, rules);
  if (standing === null) return null;
  const months = span.kind === 'month' ? [] : monthsOf(span);
  return {
    standing,
    best: {
      day: bestOf(historyOf(within, 'day'), rules.active_day_tokens),
      week: bestOf(historyOf(within, 'week'), rules.active_day_tokens),
    },
    months: months.flatMap(({ name, first, last }) => {
      const own = standingOf(series, first, last, rules);
      return own ? [{ name, standing: own }] : [];
    }),
  };
}

function monthsOf({ first, last }: ReviewSpan): ReviewSpan[] {
  const months: ReviewSpan[] = [];
  for (let day = first; day <= last; day = (months.at(-1)?.last ?? last) + 1) {
    const month = spanWith('month', day);
    if (!month) break;
    months.push(month);
  }
  return months;
}

/** The earliest one wins a tie. */
function bestOf(periods: readonly HistoryPeriod[], activeDayTokens: number): BestPeriods {
  const yieldOf = ({ metrics }: HistoryPeriod) => metrics.yield ?? Number.NEGATIVE_INFINITY;
  const rated = periods.filter(({ totals, metrics }) => {
    return totals.total >= activeDayTokens && metrics.yield !== null;
  });
  const best = (of: readonly HistoryPeriod[], value: (period: HistoryPeriod) => number) =>
    of.reduce<HistoryPeriod | null>(
      (top, one) => (top && value(top) >= value(one) ? top : one),
      null,
    );
  const most = best(periods, ({ totals }) => totals.total) as HistoryPeriod;
  return { most, highest: best(rated, yieldOf) };
}
