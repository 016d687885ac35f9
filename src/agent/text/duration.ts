import { counted } from './counted.ts';

const UNITS = [
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A length of time in the largest unit that it holds more than twice, rounded up if not told otherwise. */
export function durationText(ms: number, round: (value: number) => number = Math.ceil): string {
  const [unit, length] = UNITS.find(([, size]) => ms > 2 * size) ?? ['second', 1000];
  return counted(round(ms / length), unit);
}
