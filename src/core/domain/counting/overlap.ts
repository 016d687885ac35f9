/**
 * What counts where several devices of one operator state the same day, tool, provider and model: responses
 * that more than one of them has counted, because logs were copied or are synchronized, count once.
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

/** A bucket as one device states it. */
interface Rival extends Bucket {
  device_id: number;
  /** Position in the log of the submission that stated it. */
  log_index: number;
}

/** What counts of a bucket. */
export interface Counted {
  /** Null if nothing of it counts. */
  pillars: Pillars | null;
  /** Of a bucket that does not count whole, the device that has the most of its responses. */
  same_as: number | null;
}

/** A bucket of which at least a part counts. */
interface Taken {
  bucket: Rival;
  own: Fingerprint | null;
}

/** What was taken already. */
interface Before {
  taken: Taken[];
  /** The fingerprint of all of it that has one. */
  union: Fingerprint | null;
}

/** The fewest values in common that show that responses are: one can be the same by chance. */
const LEAST_COMMON = 2;

/**
 * Enters what counts of each of some buckets of the same operator, day, tool, provider and model: of the
 * largest all; of each further one, by total and then in log order, what its fingerprint does not show to be
 * in those before it.
 */
export function countRivals<One extends Rival>(
  rivals: readonly One[],
  parts: Map<One, Counted>,
): void {
  const before: Before = { taken: [], union: null };
  for (const bucket of inOrder(rivals)) {
    // The fingerprint of a bucket without rivals need not be read.
    const own = rivals.length > 1 ? parseFingerprint(bucket.fingerprint) : null;
    const counted = countedOf({ bucket, own }, before);
    parts.set(bucket, counted);
    if (counted.pillars === null) continue;
    before.taken.push({ bucket, own });
    if (own) before.union = mergeFingerprints([own, before.union ?? []]);
  }
}

/** By total, the largest first, then in log order; within one entry a bucket is stated once. */
function inOrder<One extends Rival>(rivals: readonly One[]): readonly One[] {
  if (rivals.length < 2) return rivals;
  return [...rivals].sort((a, b) => totalOf(b) - totalOf(a) || a.log_index - b.log_index);
}

/** Whether two buckets state the same counts, and their fingerprints cannot show that it is by chance. */
function isTwin(other: Taken, { bucket, own }: Taken): boolean {
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
  const twin = taken.find((other) => isTwin(other, next));
  if (twin) return { pillars: null, same_as: twin.bucket.device_id };
  const whole = { pillars: partOf(bucket, 1, 1), same_as: null };
  if (!own || !union) return whole;
  const { compared, common } = overlapOf(own, union);
  if (common === 0) return whole;
  const same_as = nearest(own, taken);
  if (common === compared) return { pillars: null, same_as };
  const isShown = common >= LEAST_COMMON || own.length < FINGERPRINT_VALUES;
  return isShown ? { pillars: partOf(bucket, compared - common, compared), same_as } : whole;
}

/** The device of the first bucket that has the most in common; null if none has anything. */
function nearest(own: Fingerprint, taken: readonly Taken[]): number | null {
  let most: { common: number; device_id: number | null } = { common: 0, device_id: null };
  for (const other of taken) {
    const { common } = overlapOf(own, other.own ?? []);
    if (common > most.common) most = { common, device_id: other.bucket.device_id };
  }
  return most.device_id;
}

/** The same part of each pillar, rounded down. */
export function partOf(pillars: Pillars, share: number, of: number): Pillars {
  const { input, output, cache_write, cache_read } = pillars;
  return {
    input: portion(input, share, of),
    output: portion(output, share, of),
    cache_write: cache_write === null ? null : portion(cache_write, share, of),
    cache_read: cache_read === null ? null : portion(cache_read, share, of),
  };
}

/** `count * share / of`, rounded down; exact also where the product is not. */
function portion(count: number, share: number, of: number): number {
  const rest = count % of;
  return ((count - rest) / of) * share + Math.floor((rest * share) / of);
}
