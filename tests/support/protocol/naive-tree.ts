/** The Merkle tree as RFC 6962, section 2.1, defines it, recursively and with every hash computed again. */
import { createHash } from 'node:crypto';

const sha256 = (...parts: Uint8Array[]) =>
  Uint8Array.from(createHash('sha256').update(Buffer.concat(parts)).digest());

export function naiveRoot(entries: readonly Uint8Array[]): Uint8Array {
  const [first] = entries;
  if (!first) return sha256();
  if (entries.length === 1) return sha256(Buffer.from([0]), first);
  const [left, right] = halves(entries);
  return sha256(Buffer.from([1]), naiveRoot(left), naiveRoot(right));
}

export function naiveInclusion(index: number, entries: readonly Uint8Array[]): Uint8Array[] {
  if (entries.length === 1) return [];
  const [left, right] = halves(entries);
  return index < left.length
    ? [...naiveInclusion(index, left), naiveRoot(right)]
    : [...naiveInclusion(index - left.length, right), naiveRoot(left)];
}

/** @param oldSize At least 1. */
export function naiveConsistency(
  oldSize: number,
  entries: readonly Uint8Array[],
  isOldRoot = true,
): Uint8Array[] {
  if (oldSize === entries.length) return isOldRoot ? [] : [naiveRoot(entries)];
  const [left, right] = halves(entries);
  return oldSize <= left.length
    ? [...naiveConsistency(oldSize, left, isOldRoot), naiveRoot(right)]
    : [...naiveConsistency(oldSize - left.length, right, false), naiveRoot(left)];
}

/** Splits at the largest power of 2 below the number of entries. */
function halves(entries: readonly Uint8Array[]): [Uint8Array[], Uint8Array[]] {
  const middle = 2 ** (Math.ceil(Math.log2(entries.length)) - 1);
  return [entries.slice(0, middle), entries.slice(middle)];
}
