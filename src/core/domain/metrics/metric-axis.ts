/**
 * The chart axis of each metric. Yield, leverage and velocity are ratios that span powers of ten, so their axis is
 * logarithmic. Snr is a share and dev10x is already a logarithm, so their axes are linear.
 *
 * @module
 */
import type { MetricName } from '#core/schema/record.ts';
import { significant } from './metrics.ts';

const LOGARITHMIC: ReadonlySet<MetricName> = new Set(['yield', 'leverage', 'velocity']);

/** Whether the metric's axis is logarithmic. */
export function isLogarithmic(metric: MetricName): boolean {
  return LOGARITHMIC.has(metric);
}

/** The position of a value on the axis; minus infinity for zero on a logarithmic axis. */
export function axisPosition(metric: MetricName, value: number): number {
  if (!isLogarithmic(metric)) return value;
  return value > 0 ? Math.log10(value) : Number.NEGATIVE_INFINITY;
}

/** The value at a position, to 12 significant digits. */
export function axisValue(metric: MetricName, position: number): number {
  return significant(isLogarithmic(metric) ? 10 ** position : position);
}

/** The smallest of 1, 2 and 5 times a power of ten that divides a length into at most `most` steps. */
export function roundStep(length: number, most: number): number {
  const least = length / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((known) => significant(known * power) >= significant(least));
  return significant((factor ?? 10) * power);
}
