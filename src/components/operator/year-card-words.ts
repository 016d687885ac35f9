/** The texts of the preview picture of a year in review. */
import { dayName } from '#core/domain/counting/day.ts';
import { tokensText } from '../../charts/numbers.ts';
import type { YearCard } from '../../charts/year-card.ts';
import { classText } from '../text/entry-words.ts';
import { momentText, whole } from '../text/format.ts';
import type { ReviewSheet } from './review-sheet.ts';
import { reviewHref, reviewTitle, yieldText } from './review-words.ts';

/** Null without tokens. The day is the last one of the year, so that the picture of a past year does not change. */
export function yearCardOf(
  sheet: ReviewSheet,
  { name: board, baseUrl }: { name: string; baseUrl: string },
): YearCard | null {
  const { codename, display_name, span, until, review, calendar, end } = sheet;
  if (review === null) return null;
  const { total, active_days } = review.standing.bases.all;
  const rated = yieldText(review.standing);
  const tier = end?.class_tier ?? 'unclassed';
  const className = classText(tier);
  return {
    board,
    title: reviewTitle({ codename: display_name ?? codename, span }),
    rank: end?.rank ? `Rank ${whole(end.rank)}` : '',
    tier,
    facts: [
      [tokensText(total), 'tokens'],
      [whole(active_days), active_days === 1 ? 'active day' : 'active days'],
      ...(rated ? [[rated.value, rated.name] as const] : []),
      ...(className === null ? [] : [[className, 'class'] as const]),
    ],
    first: span.first,
    last: until,
    days: calendar.map(({ date, total: value }) => ({ date, value })),
    address: new URL(baseUrl).host + reviewHref(codename, span.name),
    day: momentText(dayName(until), 'date'),
  };
}
