import type { Store } from '#db/store.ts';
import { dayName } from '#core/domain/counting/day.ts';
import type { DayUsage } from '#core/domain/metrics/day-series.ts';
import { UsageReader } from './usage-reader.ts';

/**
 * What counts now of an operator's days, of that what devices signed, sorted by day.
 *
 * @param first The number of the first day; all if left out.
 */
export function signedUsage(
  store: Pick<Store, 'buckets'>,
  operator_id: number,
  first?: number,
): DayUsage[] {
  const from = first === undefined ? '' : dayName(first);
  return signedPart(store, { operator_id, from, to: '9999-12-31' });
}

/** The same of a part of some days. */
export function signedPart(
  { buckets }: Pick<Store, 'buckets'>,
  part: Parameters<Store['buckets']['signed']>[0],
): DayUsage[] {
  return new UsageReader(() => false).read(buckets.signed(part));
}
