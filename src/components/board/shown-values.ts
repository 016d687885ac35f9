import { DECIMALS } from '#core/domain/metrics/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';
import { type Ends, fixed, metricText } from '../text/format.ts';

/** Larger numbers are printed in powers of ten, which are short enough. */
const MOST = 1e9;

/** A number to print, and the power of ten that it is rounded to. */
interface Rounded {
  value: number;
  power: number;
}

/** The number that ranks, and its interval. */
export interface Ranking {
  conservative: number | null;
  interval: Ends | null;
}

/**
 * The conservative values of the rows, best first, as a board shows them: with as many digits as the widths of their
 * intervals justify, and more where rounded numbers would not be in order.
 *
 * @example `5,500` for 5,481.83 in 5,481.83 to 8,862.45, `2.14` for 2.136 in 2.136 to 2.19
 */
export function shownValues(metric: MetricName, rows: readonly Ranking[]): string[] {
  const rounded = rows.map(({ conservative: value, interval }) => {
    return interval && value !== null ? { value, power: justifiedPower(metric, interval) } : null;
  });
  for (let at = 0; at + 1 < rounded.length; at += 1) at = inOrder(rounded, at);
  return rounded.map((one) => (one === null ? metricText(metric, null) : textOf(metric, one)));
}

/**
 * The rest of an interval, to print after the conservative value, which can be its lower bound.
 *
 * @example `to 8,900`, `3,100 to 8,900`
 */
export function endText(metric: MetricName, { conservative, interval }: Ranking): string {
  if (interval === null) return '';
  const [low, high] = interval;
  const power = justifiedPower(metric, interval);
  const begin = conservative === low ? '' : `${textOf(metric, { value: low, power })} `;
  return begin + (high === null ? 'or more' : `to\u00a0${textOf(metric, { value: high, power })}`);
}

/**
 * Refines one of two neighbors that are out of order when rounded. Equally rounded, they are in order.
 *
 * @returns Where to go on, because an earlier pair may be out of order now.
 */
function inOrder(rounded: readonly (Rounded | null)[], at: number): number {
  const [one, next] = [rounded[at], rounded[at + 1]];
  if (!one || !next || shown(one) >= shown(next) || one.power === next.power) return at;
  const coarser = one.power > next.power ? one : next;
  coarser.power -= 1;
  return Math.max(-1, at - 2);
}

/** Two digits of the width, and at least two of the number. */
function justifiedPower(metric: MetricName, [low, high]: Ends): number {
  const most = digitsBefore(low) - 2;
  const width = high === null ? low : high - low;
  const justified = width > 0 ? digitsBefore(width) - 2 : Number.NEGATIVE_INFINITY;
  return Math.max(Math.min(most, justified), finestPower(metric, low));
}

/** The last digit of a record, or of the two first digits if the number is smaller. */
function finestPower(metric: MetricName, value: number): number {
  return Math.min(-DECIMALS[metric], digitsBefore(value) - 2);
}

/** Digits before the decimal point; 0 or less for numbers below 1. */
function digitsBefore(value: number): number {
  return value === 0 ? 1 : Math.floor(Math.log10(Math.abs(value))) + 1;
}

function shown({ value, power }: Rounded): number {
  return power >= 0 ? Math.round(value / 10 ** power) * 10 ** power : Number(value.toFixed(-power));
}

function textOf(metric: MetricName, one: Rounded): string {
  if (Math.abs(one.value) >= MOST || one.power < -4) return metricText(metric, one.value);
  return fixed(shown(one), Math.max(0, -one.power));
}
