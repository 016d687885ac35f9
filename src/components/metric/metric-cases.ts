/** Counts at the edges of the formulas, and what small changes do, by the functions that compute the board. */
import { isLogarithmic } from '#core/domain/metrics/metric-axis.ts';
import { DECIMALS, exactMetric } from '#core/domain/metrics/metrics.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { PILLARS, PILLAR_LABELS } from '../../charts/labels.ts';
import { fixed, metricText } from '../text/format.ts';
import { EXAMPLE, METRIC_WORDS } from '../text/words.ts';

interface MetricCase extends Pillars {
  name: string;
}

/** Where a metric is 0, undefined, or rounded. */
export const METRIC_CASES: readonly MetricCase[] = [
  { name: 'No input', input: 0, output: 5000, cache_write: 1000, cache_read: 2000 },
  { name: 'No output', input: 1000, output: 0, cache_write: 500, cache_read: 3000 },
  {
    name: 'Nothing written to the cache',
    input: 1000,
    output: 5000,
    cache_write: 0,
    cache_read: 3000,
  },
  {
    name: 'Nothing read from the cache',
    input: 1000,
    output: 5000,
    cache_write: 500,
    cache_read: 0,
  },
  {
    name: 'Cache reads not reported',
    input: 1000,
    output: 5000,
    cache_write: 500,
    cache_read: null,
  },
  { name: 'Rounded', input: 3, output: 7, cache_write: 11, cache_read: 13 },
];

interface Sensitivity {
  count: string;
  value: number;
  change: string;
}

const MORE = 1.1;

export function sensitivityOf(metric: MetricName): Sensitivity[] {
  const before = exactMetric(metric, EXAMPLE) ?? 0;
  return PILLARS.map((pillar) => {
    const value = exactMetric(metric, { ...EXAMPLE, [pillar]: EXAMPLE[pillar] * MORE }) ?? 0;
    return { count: PILLAR_LABELS[pillar], value, change: changeText(metric, before, value) };
  });
}

export function sensitivityTable(metric: MetricName) {
  const before = metricText(metric, exactMetric(metric, EXAMPLE));
  return {
    caption: `The example, which is ${before}, with a tenth more of one count`,
    head: ['10 % more of', METRIC_WORDS[metric].label, 'Change'],
    rows: sensitivityOf(metric).map(({ count, value, change }) => {
      return [count, metricText(metric, value), change];
    }),
  };
}

/** What the table says of other counts than those of the example. */
export function sensitivityText(metric: MetricName): string {
  if (metric === 'snr') {
    return 'How much it changes depends on where it lies: near 0 and 1 hardly, most in the middle, where input and output are equal.';
  }
  const change = metric === 'dev10x' ? 'difference' : 'share';
  return `Whatever the counts are, it changes by the same ${change}.`;
}

/** A ratio of counts changes by a share, whatever the counts; what is none changes by a difference. */
export function changeText(metric: MetricName, before: number, after: number): string {
  if (before === after) return 'none';
  if (isLogarithmic(metric)) return `${signed(100 * (after / before - 1), 1)} %`;
  return signed(after - before, DECIMALS[metric]);
}

function signed(value: number, decimals: number): string {
  return `${value < 0 ? '\u2212' : '+'}${fixed(Math.abs(value), decimals)}`;
}
