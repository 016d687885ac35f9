/**
 * Fingerprints of daily counts: the smallest of the keyed hashes of the responses behind a count, from which
 * it can be estimated how many of its responses are behind other counts, too. They show nothing of the
 * responses, and with a key for each account, those of two accounts cannot be compared.
 *
 * The k minimum values (bottom-k) sketch: two sets' smallest hashes hold a sample of their union that is
 * chosen without regard to which set a member is of.
 *
 * @see A. Z. Broder, "On the resemblance and containment of documents", 1997.
 * @see Z. Bar-Yossef et al., "Counting distinct elements in a data stream", 2002.
 * @module
 */
import { fromBase64Url, toBase64Url } from '../text/base64.ts';

/** The most values of a fingerprint. With fewer it is complete: it holds the hash of every response. */
export const FINGERPRINT_VALUES = 15;

/** The bytes of a value: an unsigned 32-bit integer, big-endian. */
export const VALUE_BYTES = 4;

/** 1 to 15 different integers from 0 to 2^32-1, ascending. */
export type Fingerprint = readonly number[];

/** How much of a fingerprint was compared with another one, and was found there. */
interface Overlap {
  /** Own values that the other fingerprint would hold if it were of the same responses: 0 to 15. */
  compared: number;
  /** Those of them that it holds: 0 to `compared`. */
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

/** The fingerprint of all responses that any of some fingerprints is of; null of none. */
export function mergeFingerprints(fingerprints: Iterable<Fingerprint>): Fingerprint | null {
  return fingerprintOf([...fingerprints].flat());
}

/**
 * Compares a fingerprint with another one. `common / compared` estimates, without bias, the share of the
 * own responses that are among the others, too. Nothing is compared where the others are so many more that
 * their fingerprint ends below the smallest own value.
 */
export function overlapOf(own: Fingerprint, others: Fingerprint): Overlap {
  const last = Math.min(endOf(own), endOf(others));
  const overlap = { compared: 0, common: 0 };
  // Both ascend. Of 50 devices every pair is compared, on every day.
  let at = 0;
  for (const value of own) {
    if (value > last) break;
    overlap.compared += 1;
    while ((others[at] ?? value) < value) at += 1;
    if (others[at] === value) overlap.common += 1;
  }
  return overlap;
}

/** The value up to which a fingerprint holds the hash of every response. */
function endOf(fingerprint: Fingerprint): number {
  return fingerprint[FINGERPRINT_VALUES - 1] ?? Number.POSITIVE_INFINITY;
}

/** A fingerprint as it is sent: base64url without padding, 6 to 80 characters. */
export function formatFingerprint(fingerprint: Fingerprint): string {
  const bytes = new DataView(new ArrayBuffer(fingerprint.length * VALUE_BYTES));
  fingerprint.forEach((value, index) => bytes.setUint32(index * VALUE_BYTES, value));
  return toBase64Url(new Uint8Array(bytes.buffer));
}

/** Reads what {@linkcode formatFingerprint} made; null for anything else. */
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
