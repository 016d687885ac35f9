/** Counts, values, lengths of time and moments, as people read them. */
import { plain } from '#core/domain/text/terminal-text.ts';

/** So many of something, as in "1 record" and "2,000 records". */
export function counted(count: number, noun: string): string {
  return `${figure(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A number with marks between its thousands; loading `Intl` would take longer than many a scan. */
export function figure(value: number | null): string {
  if (value === null) return 'not reported';
  const text = Number.isInteger(value) ? String(value) : value.toFixed(3).replace(/\.?0+$/, '');
  return text.replaceAll(/\B(?=(?:\d{3})+(?:\.|$))/g, ',');
}

const MAGNITUDES = ['', ' k', ' M', ' G', ' T', ' P'];

/** A count in at most six characters, for tables: three digits and a unit from 10,000 on. */
export function shortFigure(value: number | null): string {
  if (value === null) return '-';
  if (value < 10_000) return String(value);
  let unit = 0;
  let scaled = value;
  // What would round up to four digits goes on to the next unit.
  for (; scaled >= 999.5 && unit < MAGNITUDES.length - 1; unit += 1) scaled /= 1000;
  return `${scaled.toPrecision(3)}${MAGNITUDES[unit]}`;
}

const UNITS = [
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** A length of time in the largest unit that it holds more than twice, rounded up if not told otherwise. */
export function durationText(ms: number, round: (value: number) => number = Math.ceil): string {
  const [unit, length] = UNITS.find(([, size]) => ms > 2 * size) ?? ['second', 1000];
  return counted(round(ms / length), unit);
}

/** A moment for people: "2026-11-22 01:11 UTC". What is no moment in UTC is told as it is. */
export function momentText(text: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?Z$/.exec(text) ?? [];
  return day === undefined ? plain(text) : `${day} ${time} UTC`;
}

/** Three significant digits are enough for people; whole numbers keep all. */
export function valueText(value: number | null): string {
  if (value === null) return 'undefined';
  const digits = Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
  return digits.toLocaleString('en', { maximumSignificantDigits: 16 });
}
