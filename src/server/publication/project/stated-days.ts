import { type StatedSpans, statedSpans } from '#core/domain/board/stated-share.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import type { DayUsage } from '#core/domain/metrics/day-series.ts';
import type { Store } from '#db/store.ts';
import type { Term } from './project-operator.ts';

/** The stated days of an operator. Null if no rank in a term requires some, so that nothing is read. */
export function statedInTerm(
  store: Pick<Store, 'changedDays'>,
  operator_id: number,
  usage: readonly DayUsage[],
  { ruleset, challenges }: Term,
): StatedSpans | null {
  const isRequired =
    ruleset.stated_days || challenges.some(({ eligibility }) => eligibility.stated_days);
  return isRequired ? statedSpans(signedDays(usage), store.changedDays.covered(operator_id)) : null;
}

/** The days with signed tokens, each once. */
export function signedDays(usage: readonly DayUsage[]): number[] {
  const signed = usage.filter((one) => one.source.trust === 'signed' && totalOf(one) > 0);
  return [...new Set(signed.map(({ day }) => day))];
}
