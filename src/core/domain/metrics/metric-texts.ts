/** The metrics in plain words, for tools and the API. */
import type { MetricName } from '#core/schema/record.ts';

/** The description of one metric. */
interface MetricText {
  /** Over the four counts. */
  formula: string;
  /** The meaning of a value. */
  unit: string;
}

export const METRIC_TEXTS: Readonly<Record<MetricName, MetricText>> = {
  yield: {
    formula: '(cache_read x output) / input^2',
    unit: 'leverage times velocity: cache reads for each token of fresh input, times output for each token of fresh input',
  },
  leverage: {
    formula: 'cache_read / input',
    unit: 'tokens read from the cache for each token of fresh input',
  },
  velocity: {
    formula: 'output / input',
    unit: 'output tokens for each token of fresh input',
  },
  snr: {
    formula: 'output / (input + output)',
    unit: 'the share of output in the sum of fresh input and output',
  },
  dev10x: {
    formula: 'log10(cache_read / input)',
    unit: 'leverage in powers of ten: 1 means ten tokens read from the cache for each token of fresh input',
  },
};
