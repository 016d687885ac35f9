/** Formats counts, values, durations and times as text. */
import { plain } from '#core/domain/text/terminal-text.ts';

/** A count with its noun: "1 record", "2,000 records". */
export function counted(count: number, noun: string): string {
  return `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A number with thousands separators. Does not use `Intl`, which takes longer to load than a scan. */
export function figure(value: number | null): string {
  if (value === null) return 'not reported';
  return separated(
    Number.isInteger(value) ? String(value) : value.toFixed(3).replace(/\.?0+$/, ''),
  );
}

function separated(text: string): string {
  return text.replaceAll(/\B(?=(?:\d{3})+(?:\.|$))/g, ',');
}

const MAGNITUDES = ['', ' k', ' M', ' G', ' T', ' P'];

/** A count in at most six characters, for tables: three digits and a unit if it is at least 10,000. */
export function shortFigure(value: number | null): string {
  if (value === null) return '-';
  if (value < 10_000) return String(value);
  let unit = 0;
  let scaled = value;
  // A value that would round up to four digits moves on to the next unit.
  for (; scaled >= 999.5 && unit < MAGNITUDES.length - 1; unit += 1) scaled /= 1000;
  return `${scaled.toPrecision(3)}${MAGNITUDES[unit]}`;
}

const UNITS = [
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A duration in the largest unit of which it has more than two. Rounded up by default. */
export function durationText(ms: number, round: (value: number) => number = Math.ceil): string {
  const [unit, length] = UNITS.find(([, size]) => ms > 2 * size) ?? ['second', 1000];
  return counted(round(ms / length), unit);
}

/** A time as "2026-11-22 01:11 UTC". Text that is not a time in UTC is returned unchanged. */
export function momentText(text: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/.exec(text) ?? [];
  return day === undefined ? plain(text) : `${day} ${time} UTC`;
}

/** A value with three significant digits; at least 1,000, a whole number. Does not use `Intl`. */
export function valueText(value: number | null): string {
  if (value === null) return 'undefined';
  const digits = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
  if (Number.isInteger(digits)) return separated(BigInt(digits).toString());
  const isTiny = Math.abs(digits) < 1e-6;
  return isTiny ? digits.toFixed(20).replace(/0+$/, '') : String(digits);
}

/** The bounds of a 95% interval. */
export function boundsText([low, high]: readonly [number, number | null]): string {
  return high === null ? `${valueText(low)} or more` : `${valueText(low)} to ${valueText(high)}`;
}
