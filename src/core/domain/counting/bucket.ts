/** Daily buckets, the unit of data: building them from usage events and adding them up. */
import {
  type Bucket,
  MAX_COUNT,
  type Pillars,
  type UsageEvent,
  type UsageSource,
} from '#core/schema/usage.ts';
import { utcDay } from './day.ts';
import { DomainError } from '../text/errors.ts';

/** Identifies a bucket within one device. */
export type BucketKey = Pick<Bucket, 'day' | 'provider' | 'model' | 'tool'>;

/** The key as one string. No part can contain a newline. */
export function bucketKey({ day, tool, provider, model }: BucketKey): string {
  return `${day}\n${tool}\n${provider}\n${model}`;
}

/** The parts of a {@linkcode bucketKey}; missing parts are empty. */
export function keyParts(key: string): BucketKey {
  const [day = '', tool = '', provider = '', model = ''] = key.split('\n');
  return { day, tool, provider, model };
}

/** A source as one string, in the same format. */
export function sourceKey({ tool, provider, model }: UsageSource): string {
  return `${tool}\n${provider}\n${model}`;
}

/** The sum of the four pillars; unreported ones count as 0. */
export function totalOf({ input, output, cache_write, cache_read }: Pillars): number {
  return input + output + (cache_write ?? 0) + (cache_read ?? 0);
}

/** Only the four counts of a value. */
export function pillarsOf({ input, output, cache_write, cache_read }: Pillars): Pillars {
  return { input, output, cache_write, cache_read };
}

/** Combines two sets of counts pillar by pillar. A pillar is null if `one` does not report it; `other`'s unreported pillars count as 0. */
export function joinPillars(
  one: Pillars,
  other: Pillars,
  join: (one: number, other: number) => number,
): Pillars {
  const joined = (a: number | null, b: number | null) => (a === null ? null : join(a, b ?? 0));
  return {
    input: join(one.input, other.input),
    output: join(one.output, other.output),
    cache_write: joined(one.cache_write, other.cache_write),
    cache_read: joined(one.cache_read, other.cache_read),
  };
}

/**
 * Sums counts pillar by pillar. A cache pillar is null if no part reports it.
 *
 * @throws {DomainError} `count_out_of_range` if the total is above 2^53-1. Below that, every partial sum is exact.
 */
export function sumPillars(parts: Iterable<Pillars>): Pillars {
  const sum: Pillars = { input: 0, output: 0, cache_write: null, cache_read: null };
  for (const part of parts) addPillars(sum, part);
  if (totalOf(sum) > MAX_COUNT) {
    throw new DomainError('count_out_of_range', 'The counts add up to more than 2^53-1 tokens');
  }
  return sum;
}

/** Adds `part` to `sum` in place. */
export function addPillars(sum: Pillars, part: Pillars): void {
  sum.input += part.input;
  sum.output += part.output;
  if (part.cache_write !== null) sum.cache_write = (sum.cache_write ?? 0) + part.cache_write;
  if (part.cache_read !== null) sum.cache_read = (sum.cache_read ?? 0) + part.cache_read;
}

/**
 * Folds one tool's usage into daily buckets by UTC day, provider and model, sorted by
 * {@linkcode bucketKey}.
 *
 * @throws {DomainError} `count_out_of_range` if one bucket's total is above 2^53-1.
 */
export function bucketUsage(tool: string, events: Iterable<UsageEvent>): Bucket[] {
  const buckets: Bucket[] = [];
  // Nested maps avoid building a key string for each of millions of events.
  const byDay = new Map<string, Map<string, Map<string, Bucket>>>();
  for (const event of events) {
    const { provider, model } = event;
    const day = utcDay(event.timestampMs);
    const byModel = within(within(byDay, day), provider);
    let bucket = byModel.get(model);
    if (bucket === undefined) {
      bucket = {
        day,
        provider,
        model,
        tool,
        input: 0,
        output: 0,
        cache_write: null,
        cache_read: null,
      };
      byModel.set(model, bucket);
      buckets.push(bucket);
    }
    addPillars(bucket, event);
    if (totalOf(bucket) > MAX_COUNT) {
      throw new DomainError('count_out_of_range', `More than 2^53-1 tokens on ${day}`);
    }
  }
  return sortBuckets(buckets);
}

/** The map under a key, created if missing. */
function within<Inner>(map: Map<string, Map<string, Inner>>, key: string): Map<string, Inner> {
  let inner = map.get(key);
  if (inner === undefined) {
    inner = new Map();
    map.set(key, inner);
  }
  return inner;
}

/** Sorts buckets by {@linkcode bucketKey}, in code unit order, in place. */
export function sortBuckets(buckets: Bucket[]): Bucket[] {
  const keyed = new Map(buckets.map((bucket) => [bucket, bucketKey(bucket)]));
  return buckets.sort((a, b) => ((keyed.get(a) ?? '') < (keyed.get(b) ?? '') ? -1 : 1));
}

/** The model that a response used, and its counts. */
interface Use extends Pillars {
  provider: string;
  model: string;
}

/** Whether two versions of a response have the same model and counts. */
export function isSameUse(a: Use, b: Use): boolean {
  const isSameModel = a.provider === b.provider && a.model === b.model;
  const isSameCache = a.cache_write === b.cache_write && a.cache_read === b.cache_read;
  return isSameModel && isSameCache && a.input === b.input && a.output === b.output;
}
