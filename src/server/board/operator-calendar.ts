/** The signed days of an operator, for calendars. */
import type { DayCalendar } from '#core/domain/board/operator-view.ts';
import { dayName, dayNumber, mondayOf, utcDay } from '#core/domain/counting/day.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import type { DayCounts } from '#core/domain/metrics/day-series.ts';
import { reviewNames } from '#core/domain/board/review.ts';
import { historyOf } from '#core/domain/metrics/history.ts';
import type { AppContext } from '../context.ts';
import { type PublicOperator, publicOperator } from '../publication/read/current-publication.ts';
import { signedDays } from '../publication/read/recent-days.ts';

/** A year in whole weeks, so that two charts have the same number of columns. */
const WEEKS = 52;

/** All signed days of an operator, which calendars, reviews and milestones share. */
export function allSignedDays(ctx: AppContext, operator: PublicOperator) {
  return signedDays(ctx, operator, { from: '', to: utcDay(ctx.now().getTime()) });
}

/** Prepares {@linkcode allSignedDays}, from which calendars and stated days are made. Yields to the event loop. */
export async function readySignedDays(ctx: AppContext, codename: string): Promise<void> {
  await allSignedDays(ctx, publicOperator(ctx, codename)).ready();
}

/**
 * An operator's last 52 weeks, the current one included.
 *
 * @throws {DomainError} `not_found` if there is no such operator.
 */
export function readOperatorCalendar(ctx: AppContext, codename: string): DayCalendar {
  const last = dayNumber(utcDay(ctx.now().getTime()));
  const first = mondayOf(last) - 7 * (WEEKS - 1);
  const usage = allSignedDays(ctx, publicOperator(ctx, codename)).read();
  return {
    first: dayName(first),
    last: dayName(last),
    days: calendarDays(usage, { first, last }),
    reviews: reviewNames(usage),
  };
}

/** The number of the first day with tokens; null if there is none. */
export function firstDayWithTokens(usage: readonly DayCounts[]): number | null {
  return usage.find((counts) => totalOf(counts) > 0)?.day ?? null;
}

/** The days with tokens in a span. */
export function calendarDays(
  usage: readonly DayCounts[],
  { first, last }: { first: number; last: number },
): DayCalendar['days'] {
  const within = usage.filter(({ day }) => day >= first && day <= last);
  return historyOf(within, 'day').map(({ first: day, totals, metrics }) => {
    return { date: dayName(day), total: totals.total, metrics };
  });
}
