/**
 * How much counts if several devices of one operator submit the same day, tool, provider and model. Responses
 * that more than one device counted, because logs were copied or are synchronized, count once.
 *
 * @module
 */
import type { Bucket, Pillars } from '#core/schema/usage.ts';
import { totalOf } from './bucket.ts';
import {
  FINGERPRINT_VALUES,
  type Fingerprint,
  mergeFingerprints,
  overlapOf,
  parseFingerprint,
} from './fingerprint.ts';

/** A bucket as one device submitted it. */
interface Rival extends Bucket {
  device_id: number;
  /** Position in the log of the submission that contains it. */
  log_index: number;
}

/** The part of a bucket that counts. */
export interface Counted {
  /** Null if none of it counts. */
  pillars: Pillars | null;
  /** For a bucket that does not count in full, the device that shares the most of its responses; else null. */
  same_as: number | null;
}

/** A bucket that counts at least in part. */
interface Taken {
  bucket: Rival;
  own: Fingerprint | null;
}

/** The buckets that already count. */
interface Before {
  taken: Taken[];
  /** The merged fingerprint of those that have one. */
  union: Fingerprint | null;
}

/** The fewest common fingerprint values that show common responses. A single one can be a coincidence. */
const LEAST_COMMON = 2;

/**
 * Decides how much counts of each of several buckets of the same operator, day, tool, provider and model, and
 * adds it to `parts`. The largest bucket counts in full. Of each further one, by total and then in log order,
 * the part counts that its fingerprint does not show to be in the buckets before it.
 */
export function countRivals<One extends Rival>(
  rivals: readonly One[],
  parts: Map<One, Counted>,
): void {
  const before: Before = { taken: [], union: null };
  for (const bucket of inOrder(rivals)) {
    // The fingerprint of a bucket without rivals is not needed.
    const own = rivals.length > 1 ? parseFingerprint(bucket.fingerprint) : null;
    const counted = countedOf({ bucket, own }, before);
    parts.set(bucket, counted);
    if (counted.pillars === null) continue;
    before.taken.push({ bucket, own });
    if (own) before.union = mergeFingerprints([own, before.union ?? []]);
  }
}

/** By total, largest first, then in log order. A log entry contains a bucket only once. */
function inOrder<One extends Rival>(rivals: readonly One[]): readonly One[] {
  if (rivals.length < 2) return rivals;
  return [...rivals].sort((a, b) => totalOf(b) - totalOf(a) || a.log_index - b.log_index);
}

/** Whether two buckets have the same counts and no fingerprints that could tell them apart. */
function hasEqualCounts(other: Taken, { bucket, own }: Taken): boolean {
  if (other.own && own) return false;
  return (
    bucket.input === other.bucket.input &&
    bucket.output === other.bucket.output &&
    bucket.cache_write === other.bucket.cache_write &&
    bucket.cache_read === other.bucket.cache_read
  );
}

function countedOf(next: Taken, { taken, union }: Before): Counted {
  const { bucket, own } = next;
  const equal = taken.find((other) => hasEqualCounts(other, next));
  if (equal) return { pillars: null, same_as: equal.bucket.device_id };
  const whole = { pillars: partOf(bucket, 1, 1), same_as: null };
  if (!own || !union) return whole;
  const { compared, common } = overlapOf(own, union);
  if (common === 0) return whole;
  const same_as = nearest(own, taken);
  if (common === compared) return { pillars: null, same_as };
  const isShown = common >= LEAST_COMMON || own.length < FINGERPRINT_VALUES;
  return isShown ? { pillars: partOf(bucket, compared - common, compared), same_as } : whole;
}

/** The device of the first bucket that has the most in common; null if none has anything in common. */
function nearest(own: Fingerprint, taken: readonly Taken[]): number | null {
  let most: { common: number; device_id: number | null } = { common: 0, device_id: null };
  for (const other of taken) {
    const { common } = overlapOf(own, other.own ?? []);
    if (common > most.common) most = { common, device_id: other.bucket.device_id };
  }
  return most.device_id;
}

/** The same fraction of each pillar, `share / of`, rounded down. */
export function partOf(pillars: Pillars, share: number, of: number): Pillars {
  const { input, output, cache_write, cache_read } = pillars;
  return {
    input: portion(input, share, of),
    output: portion(output, share, of),
    cache_write: cache_write === null ? null : portion(cache_write, share, of),
    cache_read: cache_read === null ? null : portion(cache_read, share, of),
  };
}

/** `count * share / of`, rounded down. Exact even if the product exceeds 2^53-1. */
function portion(count: number, share: number, of: number): number {
  const rest = count % of;
  return ((count - rest) / of) * share + Math.floor((rest * share) / of);
}
