/** Numbers that were given for options. */
import { EXIT, Failure } from './failure.ts';

/** The most days that can be asked for: ten years. */
const MOST_DAYS = 3660;

/** @throws {Failure} `usage` for what is no number of days from `least` on. */
export function readDays(text: string, least: number): number {
  return readNumber('--days', text, { least, most: MOST_DAYS });
}

/** @throws {Failure} `usage` for what is no whole number from 1 to `most`. */
export function readLimit(text: string, most: number): number {
  return readNumber('--limit', text, { least: 1, most });
}

function readNumber(
  option: string,
  text: string,
  { least, most }: { least: number; most: number },
): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new Failure(EXIT.usage, `${option} takes a whole number from ${least} to ${most}`);
}
