import { significant } from './metrics.ts';

/** From so many operators on a median tells of them together, and of nobody alone. */
export const MIN_FOR_MEDIAN = 5;

/** The median of operators' values, to 12 significant digits; null below five. Sorts the values. */
export function medianOf(values: Float64Array): number | null {
  const n = values.length;
  if (n < MIN_FOR_MEDIAN) return null;
  values.sort();
  const upper = significant(values[n >> 1] as number);
  if (n % 2 === 1) return upper;
  return significant((significant(values[(n >> 1) - 1] as number) + upper) / 2);
}
