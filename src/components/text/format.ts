/** Formats numbers, days and times for pages. */
import { isLogarithmic } from '#core/domain/metrics/metric-axis.ts';
import { DECIMALS } from '#core/domain/metrics/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';
import { dateText } from '../../charts/numbers.ts';

/** The bounds of an interval; the upper one is null if there is none. */
export type Ends = readonly [low: number, high: number | null];

export const NONE = '–';

const formats = [0, 1, 2, 3, 4].map((digits) => {
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  // Otherwise small negative numbers would be printed as -0.
  return new Intl.NumberFormat('en-US', { ...decimals, signDisplay: 'negative' });
});
const short = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2 });
const exact = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 12 });

/** Ratios outside these limits are printed in powers of ten. */
const TOO_SMALL = 1e-4;
const TOO_LONG = 1e9;

/**
 * Prints a metric with the decimals of an Operator Record, and values of a million or more without decimals.
 * A small ratio gets as many decimals as it needs. Very small and very large ratios are printed in powers of
 * ten.
 *
 * @example `18,436.98`, `8.98e17`, `3.00e-19`
 */
export function metricText(metric: MetricName, value: number | null): string {
  if (value === null) return NONE;
  const text = fixed(value, Math.abs(value) < 1e6 ? DECIMALS[metric] : 0);
  if (!isLogarithmic(metric) || value === 0) return text;
  if (value >= TOO_LONG || value < TOO_SMALL) return value.toExponential(2).replace('e+', 'e');
  return Number(text.replaceAll(',', '')) === 0 ? short.format(value) : text;
}

export function exactText(value: number | null): string {
  return value === null ? 'undefined' : exact.format(value);
}

/** The two bounds of an interval; empty if it is undefined. */
export function intervalText(metric: MetricName, interval: Ends | null): string {
  if (interval === null) return '';
  const [low, high] = interval;
  const end = high === null ? 'no upper bound' : metricText(metric, high);
  return `${metricText(metric, low)} to ${end}`;
}

export function intervalTitle(value: number | null, interval: Ends | null): string {
  if (interval === null) return exactText(value);
  const [low, high] = interval;
  return `${exactText(value)}; 95% interval ${exactText(low)} to ${high === null ? 'no upper bound' : exactText(high)}`;
}

/** A share in percent, with all its decimals. @example `90%`, `92.5%` */
export function percentText(share: number): string {
  return `${exact.format(100 * share)}%`;
}

export function fixed(value: number, decimals: number): string {
  return (formats[decimals] ?? exact).format(value);
}

export function whole(value: number): string {
  return fixed(value, 0);
}

/** The smallest and the greatest of some numbers, with one decimal, or the only one. */
export function spanText(numbers: readonly number[]): string {
  const [least, most] = [fixed(Math.min(...numbers), 1), fixed(Math.max(...numbers), 1)];
  return least === most ? least : `${least} to ${most}`;
}

export function millions(tokens: number): string {
  return fixed(tokens / 1e6, 1);
}

/** `1 day`, `2 days`. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${whole(value)} ${value === 1 ? one : many}`;
}

const CLOCK = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  hour: '2-digit',
  minute: '2-digit',
});

/** How much of an instant is printed, always in UTC. */
export type MomentStyle = 'clock' | 'date' | 'day' | 'instant';

export function momentText(iso: string, style: MomentStyle): string {
  const clock = `${CLOCK.format(new Date(iso))} UTC`;
  if (style === 'clock') return clock;
  if (style === 'day') return dateText(iso, 'day');
  if (style === 'date') return dateText(iso, 'full');
  return `${dateText(iso, 'full')}, ${clock}`;
}

export function sentence(text: string): string {
  return `${capitalised(text)}.`;
}

export function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** Texts as a list in a sentence. @example `ada, bob and cay` */
export function listText(texts: readonly string[], word: 'and' | 'or' = 'and'): string {
  const rest = texts.slice(0, -1);
  const last = texts.at(-1) ?? '';
  return rest.length === 0 ? last : `${rest.join(', ')} ${word} ${last}`;
}
