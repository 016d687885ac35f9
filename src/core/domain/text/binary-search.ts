/**
 * Binary searches in sorted lists.
 *
 * @module
 */

/**
 * The first index for which a condition does not hold; the length if it holds for all. It must hold for all before
 * that index, and for none after.
 */
export function firstNot(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of a key in a rising list; null if it is not in the list. */
export function indexIn<Key extends number | string>(
  length: number,
  key: Key,
  keyAt: (index: number) => Key,
): number | null {
  const at = firstNot(length, (index) => keyAt(index) < key);
  return at < length && keyAt(at) === key ? at : null;
}
