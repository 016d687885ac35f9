/**
 * The five metrics of one set of counts. Only two of them are independent, leverage and velocity:
 * yield = leverage x velocity, ln(velocity) = logit(snr), 10^dev10x = leverage.
 *
 * @module
 */
import type { MetricName, Metrics } from '#core/schema/record.ts';
import type { Pillars } from '#core/schema/usage.ts';

/** The decimals of each metric in an Operator Record. */
export const DECIMALS = {
  yield: 2,
  leverage: 1,
  velocity: 3,
  snr: 4,
  dev10x: 2,
} as const satisfies Record<MetricName, number>;

interface Formula {
  /** The conditions under which the metric is defined, each as text and as test. */
  requires: readonly (readonly [string, (counts: Pillars) => boolean])[];
  /** The value in floating point. */
  value: (counts: DefinedPillars) => number;
  /** The value rounded to the record's decimals, half away from zero, decided exactly. */
  rounded: (counts: DefinedPillars) => number;
}

/** Counts that meet a formula's requirements. No pillar that the formula uses is null. */
interface DefinedPillars {
  input: number;
  output: number;
  cache_read: number;
}

const inputAboveZero = ['input > 0', (c: Pillars) => c.input > 0] as const;
const readReported = ['cache_read reported', (c: Pillars) => c.cache_read !== null] as const;

const FORMULAS: Record<MetricName, Formula> = {
  yield: {
    requires: [inputAboveZero, readReported],
    value: (c) => (c.cache_read / c.input) * (c.output / c.input),
    rounded: (c) =>
      roundRatio(
        BigInt(c.cache_read) * BigInt(c.output),
        BigInt(c.input) * BigInt(c.input),
        DECIMALS.yield,
      ),
  },
  leverage: {
    requires: [inputAboveZero, readReported],
    value: (c) => c.cache_read / c.input,
    rounded: (c) => roundRatio(BigInt(c.cache_read), BigInt(c.input), DECIMALS.leverage),
  },
  velocity: {
    requires: [inputAboveZero],
    value: (c) => c.output / c.input,
    rounded: (c) => roundRatio(BigInt(c.output), BigInt(c.input), DECIMALS.velocity),
  },
  snr: {
    requires: [['input + output > 0', (c) => c.input > 0 || c.output > 0]],
    value: (c) => c.output / (c.input + c.output),
    rounded: (c) => roundRatio(BigInt(c.output), BigInt(c.input) + BigInt(c.output), DECIMALS.snr),
  },
  dev10x: {
    requires: [
      inputAboveZero,
      ['output > 0', (c) => c.output > 0],
      ['cache_write > 0', (c) => (c.cache_write ?? 0) > 0],
      ['cache_read > 0', (c) => (c.cache_read ?? 0) > 0],
    ],
    value: (c) => log10Ratio(c.cache_read, c.input),
    rounded: (c) => roundLog10Ratio(c.cache_read, c.input, DECIMALS.dev10x),
  },
};

export const METRIC_NAMES = Object.keys(FORMULAS) as MetricName[];
/** The metrics that rank in orders of their own. The others are velocity and leverage on another scale. */
export const MAIN_METRICS = ['yield', 'leverage', 'velocity'] as const satisfies MetricName[];

/**
 * The metrics as an Operator Record states them: rounded half away from zero to
 * {@linkcode DECIMALS}, decided on exact values.
 *
 * @param counts Integers from 0 to 2^53-1; a cache pillar may be null.
 */
export function recordMetrics(counts: Pillars): Metrics {
  return mapMetrics(counts, (formula) => formula.rounded(counts as DefinedPillars));
}

/**
 * The metrics to 12 significant digits, the precision in which statistics are compared and published.
 *
 * @param counts Integers whose sum is at most 2^53-1; a cache pillar may be null.
 */
export function exactMetrics(counts: Pillars): Metrics {
  return mapMetrics(counts, (formula) => significant(formula.value(counts as DefinedPillars)));
}

/** Builds a value for each metric. */
export function forEachMetric<Value>(make: (name: MetricName) => Value): Record<MetricName, Value> {
  return {
    yield: make('yield'),
    leverage: make('leverage'),
    velocity: make('velocity'),
    snr: make('snr'),
    dev10x: make('dev10x'),
  };
}

/** One metric to 12 significant digits; null if it is undefined. */
export function exactMetric(name: MetricName, counts: Pillars): number | null {
  const value = unroundedMetric(name, counts);
  return value === null ? null : significant(value);
}

/** One metric without rounding, for callers that round once at the end; null if it is undefined. */
export function unroundedMetric(name: MetricName, counts: Pillars): number | null {
  const formula = FORMULAS[name];
  if (!formula.requires.every(([, holds]) => holds(counts))) return null;
  return formula.value(counts as DefinedPillars);
}

/** Like {@linkcode unroundedMetric}, without checks. The counts must define the metric. */
export function plainMetric(name: MetricName, counts: Omit<Pillars, 'cache_write'>): number {
  return FORMULAS[name].value(counts as DefinedPillars);
}

/**
 * One line for each null in a record: unreported pillars first, then undefined metrics.
 *
 * @example `cache_read_unavailable`, `yield_undefined: requires cache_read reported`
 */
export function metricWarnings(counts: Pillars): string[] {
  const warnings: string[] = [];
  if (counts.cache_read === null) warnings.push('cache_read_unavailable');
  if (counts.cache_write === null) warnings.push('cache_write_unavailable');
  for (const name of METRIC_NAMES) {
    const missing = unmet(FORMULAS[name], counts);
    if (missing.length > 0) warnings.push(`${name}_undefined: requires ${missing.join(' and ')}`);
  }
  return warnings;
}

/** Rounds a statistic to 12 significant digits: the precision at which numbers are compared and published. */
export function significant(value: number): number {
  return Number(value.toPrecision(12));
}

function mapMetrics(counts: Pillars, value: (formula: Formula) => number): Metrics {
  const entries = METRIC_NAMES.map((name) => {
    const formula = FORMULAS[name];
    return [name, unmet(formula, counts).length > 0 ? null : value(formula)];
  });
  return Object.fromEntries(entries) as Metrics;
}

function unmet(formula: Formula, counts: Pillars): string[] {
  return formula.requires.filter(([, holds]) => !holds(counts)).map(([text]) => text);
}

/** `numerator / denominator` rounded half away from zero; both are at least 0, the denominator above it. */
function roundRatio(numerator: bigint, denominator: bigint, decimals: number): number {
  const scaled = (2n * numerator * 10n ** BigInt(decimals) + denominator) / (2n * denominator);
  const digits = scaled.toString().padStart(decimals + 1, '0');
  return Number(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`);
}

/** log10(a / b), also accurate if a is close to b. */
function log10Ratio(a: number, b: number): number {
  const ratio = a / b;
  if (ratio > 0.5 && ratio < 2) return Math.log1p((a - b) / b) / Math.LN10;
  return Math.log10(ratio);
}

/**
 * log10(a / b) rounded half away from zero. A tie cannot happen, because 10^((2k+1)/200) is irrational. If
 * floating point is too imprecise to decide, a^n is compared with 10^m x b^n in integers.
 */
function roundLog10Ratio(a: number, b: number, decimals: number): number {
  const scale = 10 ** decimals;
  const scaled = log10Ratio(a, b) * scale;
  const below = Math.floor(scaled);
  const fraction = scaled - below;
  const up = Math.abs(fraction - 0.5) > 1e-9 ? fraction > 0.5 : isAboveHalf(a, b, below, scale);
  return (up ? below + 1 : below) / scale + 0;
}

/** Whether log10(a / b) > (below + 1/2) / scale, in exact arithmetic. */
function isAboveHalf(a: number, b: number, below: number, scale: number): boolean {
  const left = BigInt(a) ** BigInt(2 * scale);
  const right = BigInt(b) ** BigInt(2 * scale);
  const exponent = 2 * below + 1;
  const power = 10n ** BigInt(Math.abs(exponent));
  return exponent >= 0 ? left > right * power : left * power > right;
}
