/** Texts of a year or month in review. */
import type { BestPeriods, NoReview, ReviewSpan } from '#core/domain/board/review.ts';
import { dayName } from '#core/domain/counting/day.ts';
import type { HistoryInterval, HistoryPeriod } from '#core/domain/metrics/history.ts';
import type { Standing } from '#core/domain/metrics/standing.ts';
import { shownValues } from '../board/shown-values.ts';
import { tokensText } from '../../charts/numbers.ts';
import { type Ends, count, metricText, momentText } from '../text/format.ts';
import type { ReviewSheet } from './review-sheet.ts';

const MONTH = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  month: 'long',
  year: 'numeric',
});

/** @example `2026`, `March 2026` */
export function periodText(name: string): string {
  return name.length === 4 ? name : MONTH.format(new Date(`${name}-01`));
}

export function reviewHref(codename: string, period: string): string {
  return `/operators/${codename}/${period}`;
}

type Named = Pick<ReviewSheet, 'codename' | 'span'>;

/** @example `ada in March 2026` */
export function reviewTitle({ codename, span }: Named): string {
  return `${codename} in ${periodText(span.name)}`;
}

/** The most important numbers, as a sentence. */
export function reviewLead({
  span,
  review,
  until,
}: Pick<ReviewSheet, 'review' | 'span' | 'until'>): string {
  const far = until < span.last ? ' so far' : '';
  if (review === null) return `No signed tokens in ${periodText(span.name)}${far}.`;
  const { total, active_days } = review.standing.bases.all;
  const rated = yieldText(review.standing);
  const ending = rated === null ? '' : `, ${rated.name} ${rated.value}`;
  return `${tokensText(total)} tokens on ${count(active_days, 'active day')}${ending}${far}.`;
}

/**
 * The conservative yield with the digits that its interval justifies. After too few days for an upper bound, the measured
 * yield; null if it is undefined.
 */
export function yieldText({
  metrics,
  intervals: { yield: interval },
  conservative,
}: Pick<Standing, 'conservative' | 'intervals' | 'metrics'>) {
  const [value = ''] = shownValues('yield', [{ conservative: conservative.yield, interval }]);
  if (isBounded(interval)) return { name: 'conservative yield', value };
  return metrics.yield === null
    ? null
    : { name: 'yield', value: metricText('yield', metrics.yield) };
}

export function isBounded(interval: Ends | null): interval is readonly [number, number] {
  return interval !== null && interval[1] !== null;
}

type Superlative = keyof BestPeriods;

const NAMES: Readonly<Record<Superlative, Record<HistoryInterval, string>>> = {
  highest: { day: 'Best day', week: 'Best week' },
  most: { day: 'Most tokens, day', week: 'Most tokens, week' },
};

/** The best days and weeks of a period, as names and texts. */
export function bestTexts(best: Record<HistoryInterval, BestPeriods>): [string, string][] {
  return (['highest', 'most'] as const).flatMap((superlative) =>
    (['day', 'week'] as const).flatMap((interval): [string, string][] => {
      const found = best[interval][superlative];
      if (found === null) return [];
      return [[NAMES[superlative][interval], bestText(found, interval, superlative)]];
    }),
  );
}

function bestText(
  { first, totals, metrics }: HistoryPeriod,
  interval: HistoryInterval,
  superlative: Superlative,
): string {
  const date = momentText(dayName(first), 'date');
  const when = interval === 'day' ? date : `week of ${date}`;
  const tokens = `${tokensText(totals.total)} tokens`;
  if (superlative === 'most') return `${tokens}, ${when}`;
  return `yield ${metricText('yield', metrics.yield)}, ${when}, ${tokens}`;
}

/** Why there is no review, and what to do. */
export function noReviewText({ reason, first_day }: NoReview, codename: string): string {
  const first = first_day === null ? '' : momentText(first_day, 'date');
  switch (reason) {
    case 'invalid':
      return `Use a year or a month in the address, for example ${reviewHref(codename, '2026')} or ${reviewHref(codename, '2026-03')}.`;
    case 'future':
      return 'This time has not begun yet.';
    case 'before':
      return `The first signed counts of ${codename} are from ${first}.`;
    case 'empty':
      return `${codename} has no signed counts yet.`;
  }
}

/** The first and last day of a period, as far as it has begun. */
export function spanDays({ first }: ReviewSpan, until: number): [from: string, to: string] {
  return [dayName(first), dayName(until)];
}
