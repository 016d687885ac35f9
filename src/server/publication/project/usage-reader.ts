import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import type { DayUsage, BucketSource } from '#core/domain/metrics/day-series.ts';
import type { CountingRow } from '#db/buckets.ts';
import type { Store } from '#db/store.ts';

/** Converts an operator's rows to usage. Daily counts of the same source share one object. */
export class UsageReader {
  readonly #days = new Map<string, number>();
  readonly #isUnsigned: (device_id: number) => boolean;

  /** @param isUnsigned Whether a device stands for self-reports. */
  constructor(isUnsigned: (device_id: number) => boolean) {
    this.#isUnsigned = isUnsigned;
  }

  read(rows: readonly CountingRow[]): DayUsage[] {
    const sources = new Map<string, BucketSource>();
    return rows.map((row) => {
      const [day, tool, provider, model, input, output, cache_write, cache_read, device_id] = row;
      const trust = this.#isUnsigned(device_id) ? 'self_reported' : 'signed';
      const source = sharedSource(sources, { tool, provider, model, trust });
      return { day: this.#dayNumber(day), source, input, output, cache_write, cache_read };
    });
  }

  #dayNumber(day: string): number {
    let number = this.#days.get(day);
    if (number === undefined) {
      number = dayNumber(day);
      this.#days.set(day, number);
    }
    return number;
  }
}

function sharedSource(known: Map<string, BucketSource>, source: BucketSource): BucketSource {
  const { tool, provider, model, trust } = source;
  const name = `${tool}\n${provider}\n${model}\n${trust}`;
  const same = known.get(name);
  if (!same) known.set(name, source);
  return same ?? source;
}

/**
 * An operator's days that count now and were signed by devices, sorted by day.
 *
 * @param first The number of the first day; all days if absent.
 */
export function signedUsage(store: Pick<Store, 'buckets'>, operator_id: number, first?: number) {
  const from = first === undefined ? '' : dayName(first);
  return signedPart(store, { operator_id, from, to: '9999-12-31' });
}

export function signedPart(
  { buckets }: Pick<Store, 'buckets'>,
  part: Parameters<Store['buckets']['signed']>[0],
): DayUsage[] {
  return new UsageReader(() => false).read(buckets.signed(part));
}
