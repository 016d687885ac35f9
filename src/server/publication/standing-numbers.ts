/** Standings as rows of numbers: what all else of them is computed from. */
import { totalOf } from '#core/domain/bucket.ts';
import {
  BASES,
  type Basis,
  type BasisUsage,
  type Standing,
  standingFrom,
} from '#core/domain/standing.ts';

/** Numbers of one basis: the four pillars, active days, effective days. */
const BASIS_NUMBERS = 6;
const LAST_ACTIVE_AT = BASES.length * BASIS_NUMBERS;

/** Numbers of a standing: the three bases, and the last day with any token. */
export const STANDING_NUMBERS = LAST_ACTIVE_AT + 1;

/** Writes a standing from `at` on; NaN stands for null. */
export function writeStanding(
  numbers: Float64Array,
  at: number,
  { bases, last_active }: Standing,
): void {
  BASES.forEach((basis, index) => {
    const usage = bases[basis];
    const first = at + index * BASIS_NUMBERS;
    numbers[first] = usage.input;
    numbers[first + 1] = usage.output;
    numbers[first + 2] = usage.cache_write ?? Number.NaN;
    numbers[first + 3] = usage.cache_read ?? Number.NaN;
    numbers[first + 4] = usage.active_days;
    numbers[first + 5] = usage.effective_days;
  });
  numbers[at + LAST_ACTIVE_AT] = last_active;
}

/** The standing that was written from `at` on. */
export function standingAt(numbers: Float64Array, at: number): Standing {
  const bases = BASES.map((basis, index) => [basis, basisAt(numbers, at + index * BASIS_NUMBERS)]);
  return standingFrom(
    Object.fromEntries(bases) as Record<Basis, BasisUsage>,
    numbers[at + LAST_ACTIVE_AT] as number,
  );
}

/** NaN read back as null. */
export function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

function basisAt(numbers: Float64Array, at: number): BasisUsage {
  const number = (offset: number) => numbers[at + offset] as number;
  const counts = {
    input: number(0),
    output: number(1),
    cache_write: orNull(number(2)),
    cache_read: orNull(number(3)),
  };
  const total = totalOf(counts);
  return { ...counts, total, active_days: number(4), effective_days: number(5) };
}
