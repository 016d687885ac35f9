import type { DayUsage } from '#core/domain/day-series.ts';
import type { AppContext } from '../context.ts';
import { UsageReader } from '../publication/usage-reader.ts';

/** What counts now of an operator's days, of that what devices signed, sorted by day. */
export function signedUsage({ store }: Pick<AppContext, 'store'>, operator_id: number): DayUsage[] {
  const byHand = store.devices.selfReporting(operator_id);
  return new UsageReader((device_id) => device_id === byHand)
    .read(store.buckets.counting(operator_id))
    .filter(({ source }) => source.trust === 'signed');
}
