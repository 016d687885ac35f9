/** Fingerprints of numbered responses. */
import fc from 'fast-check';
import {
  type Fingerprint,
  fingerprintOf,
  formatFingerprint,
} from '#core/domain/counting/fingerprint.ts';

/** The hash of the response with this number, as evenly distributed as one made with a device's key. */
export function hashOf(response: number): number {
  let hash = Math.imul(response + 1, 0x9e3779b1);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The responses from one number up to, but not including, another. */
export function responses(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** The fingerprint of responses. */
export function printOf(numbers: readonly number[]): Fingerprint {
  const made = fingerprintOf(numbers.map(hashOf));
  if (!made) throw new Error('No responses');
  return made;
}

/** The fingerprint of the responses from one number up to another, as a record contains it. */
export function fingerprintOfResponses(from: number, to: number): string {
  return formatFingerprint(printOf(responses(from, to)));
}

/** Fingerprints that often overlap. */
export const aFingerprint: fc.Arbitrary<string> = fc
  .tuple(fc.nat(40), fc.integer({ min: 1, max: 40 }))
  .map(([from, length]) => fingerprintOfResponses(from, from + length));
