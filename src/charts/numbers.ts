/** Short formats of numbers and dates for charts. */
import { isLogarithmic } from '#core/domain/metrics/metric-axis.ts';
import { DECIMALS, significant } from '#core/domain/metrics/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';

const UNITS = ['', 'k', 'M', 'G', 'T'];
/** Larger numbers are printed as powers of ten. */
const LEAST = 1e-4;
const MOST = 1e15;

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });

const utc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
const DATES = {
  day: utc({ day: 'numeric', month: 'short' }),
  month: utc({ month: 'short', year: 'numeric' }),
  full: utc({ day: 'numeric', month: 'short', year: 'numeric' }),
};

/** A label of an axis. @example `0.01`, `1`, `250`, `10k`, `1.5M`, `1e15` */
export function tickText(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < LEAST || size >= MOST)) return scientific(value);
  if (size < 1000) return String(significant(value));
  const unit = Math.floor(Math.log10(size) / 3);
  return `${significant(value / 1000 ** unit)}${UNITS[unit] ?? ''}`;
}

/** A metric's value with three digits, or with the decimals of a record if the metric is not a ratio. */
export function valueText(metric: MetricName, value: number): string {
  if (!isLogarithmic(metric)) return value.toFixed(DECIMALS[metric]);
  const short = Number(value.toPrecision(3));
  if (short === 0) return '0';
  if (short < LEAST || short >= MOST) return scientific(short);
  return short < 1e6 ? grouped.format(short) : tickText(short);
}

/** The bounds of an interval. */
export function boundsText(
  metric: MetricName,
  [low, high]: readonly [number, number | null],
): string {
  const from = valueText(metric, low);
  return high === null ? `${from} or more` : `${from} to ${valueText(metric, high)}`;
}

export function tokensText(tokens: number): string {
  return tokens < 1000 ? grouped.format(tokens) : tickText(Number(tokens.toPrecision(3)));
}

/** A share in percent; never 0% or 100% unless it is exact. @example `93.4%` */
export function shareText(share: number): string {
  if (share > 0 && share < 0.0005) return 'under 0.1%';
  if (share < 1 && share > 0.9995) return 'over 99.9%';
  return `${Number((share * 100).toFixed(1))}%`;
}

export function dateText(date: string, style: keyof typeof DATES): string {
  return DATES[style].format(new Date(date));
}

function scientific(value: number): string {
  return value.toExponential().replace('e+', 'e');
}
