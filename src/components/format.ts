/** Numbers, days and instants as pages print them. */
import { DECIMALS } from '#core/domain/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';

/** The ends of an interval; the upper one is null where nothing bounds it. */
export type Ends = readonly [low: number, high: number | null];

/** Stands where there is no number. */
export const NONE = '–';

const formats = [0, 1, 2, 3, 4].map((digits) => {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat('en-US', options);
});
const exact = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 12 });

/** With as many decimals as an Operator Record has; beyond a million the decimals say nothing. */
export function metricText(metric: MetricName, value: number | null): string {
  if (value === null) return NONE;
  return fixed(value, value < 1e6 ? DECIMALS[metric] : 0);
}

/** The whole value, for titles. */
export function exactText(value: number | null): string {
  return value === null ? 'undefined' : exact.format(value);
}

/** An interval as its ends; nothing where it is undefined. */
export function intervalText(metric: MetricName, interval: Ends | null): string {
  if (interval === null) return '';
  const [low, high] = interval;
  const end = high === null ? 'no end' : metricText(metric, high);
  return `${metricText(metric, low)} to ${end}`;
}

/** The whole value and its interval, for titles. */
export function intervalTitle(value: number | null, interval: Ends | null): string {
  if (interval === null) return exactText(value);
  const [low, high] = interval;
  return `${exactText(value)}; 95 % interval ${exactText(low)} to ${high === null ? 'no end' : exactText(high)}`;
}

export function fixed(value: number, decimals: number): string {
  return (formats[decimals] ?? exact).format(value);
}

export function whole(value: number): string {
  return fixed(value, 0);
}

/** Tokens in millions, one decimal. */
export function millions(tokens: number): string {
  return fixed(tokens / 1e6, 1);
}

/** `1 day`, `2 days`. */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${whole(value)} ${value === 1 ? one : many}`;
}

const utc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
const CLOCK = utc({ hour: '2-digit', minute: '2-digit' });
const DAY = utc({ day: 'numeric', month: 'short' });
const DATE = utc({ day: 'numeric', month: 'short', year: 'numeric' });

/** How an instant is printed: all in UTC. */
export type MomentStyle = 'clock' | 'date' | 'day' | 'instant';

export function momentText(iso: string, style: MomentStyle): string {
  const instant = new Date(iso);
  if (style === 'clock') return `${CLOCK.format(instant)} UTC`;
  if (style === 'day') return DAY.format(instant);
  if (style === 'date') return DATE.format(instant);
  return `${DATE.format(instant)}, ${CLOCK.format(instant)} UTC`;
}

/** What a refusal says, as a sentence. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
