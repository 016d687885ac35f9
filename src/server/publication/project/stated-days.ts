import { type StatedSpans, statedSpans } from '#core/domain/board/stated-share.ts';
import { type DayUsage, seriesOf } from '#core/domain/metrics/day-series.ts';
import type { Store } from '#db/store.ts';
import type { Term } from './project-operator.ts';

/**
 * The stated days of an operator. Null if no rank in a term requires some, so that nothing is read.
 *
 * @param usage The operator's counting daily counts, sorted by day.
 */
export function statedInTerm(
  { changedDays }: Pick<Store, 'changedDays'>,
  operator_id: number,
  usage: readonly DayUsage[],
  { ruleset, challenges }: Term,
): StatedSpans | null {
  const isRequired =
    ruleset.stated_days || challenges.some(({ eligibility }) => eligibility.stated_days);
  if (!isRequired) return null;
  const signed = usage.filter(({ source }) => source.trust === 'signed');
  return statedSpans(seriesOf(signed).all.day, changedDays.covered(operator_id));
}
