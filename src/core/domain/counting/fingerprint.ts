/**
 * Fingerprints of daily counts: the smallest keyed hashes of the responses behind a count. Comparing two
 * fingerprints estimates how many responses the counts share. A fingerprint reveals nothing about the responses.
 * Each account has its own key, so fingerprints of different accounts cannot be compared.
 *
 * This is a k minimum values (bottom-k) sketch: the smallest hashes of two sets contain a sample of their union
 * that does not depend on which set a member belongs to.
 *
 * @see A. Z. Broder, "On the resemblance and containment of documents", 1997.
 * @see Z. Bar-Yossef et al., "Counting distinct elements in a data stream", 2002.
 * @module
 */
import { fromBase64Url, toBase64Url } from '../text/base64.ts';

/** The most values in a fingerprint. One with fewer is complete: it contains the hash of every response. */
export const FINGERPRINT_VALUES = 15;

/** The size of a value: an unsigned 32-bit integer, big-endian. */
export const VALUE_BYTES = 4;

/** 1 to 15 distinct integers from 0 to 2^32-1, ascending. */
export type Fingerprint = readonly number[];

/** How many values of a fingerprint were compared with another one, and found there. */
interface Overlap {
  /** Values that the other fingerprint would contain if it covered the same responses: 0 to 15. */
  compared: number;
  /** Those that it does contain: 0 to `compared`. */
  common: number;
}

/**
 * The fingerprint of responses.
 *
 * @param values A hash of each response, in any order: integers from 0 to 2^32-1, evenly distributed.
 * @returns Null if there are none.
 */
export function fingerprintOf(values: Iterable<number>): Fingerprint | null {
  const sorted = Uint32Array.from(new Set(values)).sort();
  return sorted.length === 0 ? null : [...sorted.subarray(0, FINGERPRINT_VALUES)];
}

/** The fingerprint of the union of the responses; null without fingerprints. */
export function mergeFingerprints(fingerprints: Iterable<Fingerprint>): Fingerprint | null {
  return fingerprintOf([...fingerprints].flat());
}

/**
 * Compares a fingerprint with another one. `common / compared` is an unbiased estimate of the share of `own`'s
 * responses that are also among the others. If the others are so many more that their fingerprint ends below
 * `own`'s smallest value, nothing is compared.
 */
export function overlapOf(own: Fingerprint, others: Fingerprint): Overlap {
  const last = Math.min(endOf(own), endOf(others));
  const overlap = { compared: 0, common: 0 };
  // Both ascend, so one pass is enough. With 50 devices, every pair is compared for every day.
  let at = 0;
  for (const value of own) {
    if (value > last) break;
    overlap.compared += 1;
    while ((others[at] ?? value) < value) at += 1;
    if (others[at] === value) overlap.common += 1;
  }
  return overlap;
}

/** The value up to which a fingerprint contains the hash of every response. */
function endOf(fingerprint: Fingerprint): number {
  return fingerprint[FINGERPRINT_VALUES - 1] ?? Number.POSITIVE_INFINITY;
}

/** A fingerprint as it is sent: base64url without padding, 6 to 80 characters. */
export function formatFingerprint(fingerprint: Fingerprint): string {
  const bytes = new DataView(new ArrayBuffer(fingerprint.length * VALUE_BYTES));
  fingerprint.forEach((value, index) => bytes.setUint32(index * VALUE_BYTES, value));
  return toBase64Url(new Uint8Array(bytes.buffer));
}

/** Parses the output of {@linkcode formatFingerprint}; null for anything else. */
export function parseFingerprint(text: unknown): Fingerprint | null {
  const bytes = typeof text === 'string' ? fromBase64Url(text) : null;
  if (!bytes || bytes.length % VALUE_BYTES > 0) return null;
  const { buffer, byteOffset, length } = bytes;
  if (length === 0 || length > FINGERPRINT_VALUES * VALUE_BYTES) return null;
  const view = new DataView(buffer, byteOffset, length);
  const values = Array.from({ length: length / VALUE_BYTES }, (_, index) => {
    return view.getUint32(index * VALUE_BYTES);
  });
  const isAscending = values.every(
    (value, index) => index === 0 || value > (values[index - 1] ?? 0),
  );
  return isAscending ? values : null;
}
