/** Edge cases and sensitivity of the metrics, computed with the board's own functions. */
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

/** Cases in which a metric is 0, undefined or rounded. */
export const METRIC_CASES: readonly MetricCase[] = [
  { name: 'No fresh input', input: 0, output: 5000, cache_write: 1000, cache_read: 2000 },
  { name: 'No output', input: 1000, output: 0, cache_write: 500, cache_read: 3000 },
  {
    name: 'No cache writes',
    input: 1000,
    output: 5000,
    cache_write: 0,
    cache_read: 3000,
  },
  {
    name: 'No cache reads',
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
    caption: `The example, ${before}, with 10% more of one token type`,
    head: ['10% more', METRIC_WORDS[metric].label, 'Change'],
    rows: sensitivityOf(metric).map(({ count, value, change }) => {
      return [count, metricText(metric, value), change];
    }),
  };
}

/** Whether the table also applies to other counts. */
export function sensitivityText(metric: MetricName): string {
  if (metric === 'snr') {
    return 'The change depends on the value: it is small near 0 and 1, and largest when fresh input and output are equal.';
  }
  const change = metric === 'dev10x' ? 'amount' : 'percentage';
  return `Whatever the counts are, an error of 10% changes the value by the same ${change}.`;
}

/** The change of a value: in percent for ratios, as a difference for the other metrics. */
export function changeText(metric: MetricName, before: number, after: number): string {
  if (before === after) return 'none';
  if (isLogarithmic(metric)) return `${signed(100 * (after / before - 1), 1)}%`;
  return signed(after - before, DECIMALS[metric]);
}

function signed(value: number, decimals: number): string {
  return `${value < 0 ? '\u2212' : '+'}${fixed(Math.abs(value), decimals)}`;
}
