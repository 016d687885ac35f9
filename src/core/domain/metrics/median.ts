import { significant } from './metrics.ts';

/** The fewest operators for a median, so that it reveals nothing about a single one. */
export const MIN_FOR_MEDIAN = 5;

/** The median of operators' values, to 12 significant digits; null below five. Sorts the values. */
export function medianOf(values: Float64Array): number | null {
  return values.length < MIN_FOR_MEDIAN ? null : middleOf(values.sort());
}

/** The middle of ascending values, or the mean of the two in the middle, to 12 significant digits. */
export function middleOf(ascending: Float64Array): number {
  const n = ascending.length;
  const upper = significant(ascending[n >> 1] as number);
  if (n % 2 === 1) return upper;
  return significant((significant(ascending[(n >> 1) - 1] as number) + upper) / 2);
}
