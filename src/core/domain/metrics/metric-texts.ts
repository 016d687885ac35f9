/** What the metrics are, in plain words. */
import type { MetricName } from '#core/schema/record.ts';

/** What one metric is. */
interface MetricText {
  /** In terms of the four pillars. */
  formula: string;
  /** What a value counts. */
  unit: string;
}

/** The text of every metric. */
export const METRIC_TEXTS: Readonly<Record<MetricName, MetricText>> = {
  yield: {
    formula: '(cache_read x output) / input^2',
    unit: 'leverage times velocity: cache reads times output, each for a token of fresh input',
  },
  leverage: {
    formula: 'cache_read / input',
    unit: 'tokens read from the cache for each token of fresh input',
  },
  velocity: {
    formula: 'output / input',
    unit: 'tokens of output for each token of fresh input',
  },
  snr: {
    formula: 'output / (input + output)',
    unit: 'the share of output in fresh input and output together',
  },
  dev10x: {
    formula: 'log10(cache_read / input)',
    unit: 'powers of ten of leverage: 1 is ten tokens read from the cache for each token of fresh input',
  },
};
