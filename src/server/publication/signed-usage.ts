import type { Store } from '#db/store.ts';
import { dayName } from '#core/domain/day.ts';
import type { DayUsage } from '#core/domain/day-series.ts';
import { UsageReader } from './usage-reader.ts';

/**
 * What counts now of an operator's days, of that what devices signed, sorted by day.
 *
 * @param first The number of the first day; all if left out.
 */
export function signedUsage(
  { buckets }: Pick<Store, 'buckets'>,
  operator_id: number,
  first?: number,
): DayUsage[] {
  const from = first === undefined ? '' : dayName(first);
  return new UsageReader(() => false).read(buckets.signed({ operator_id, from }));
}
