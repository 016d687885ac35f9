/** Examples of undefined metrics, computed with the function that the board and devices use. */
import { METRIC_NAMES, recordMetrics } from '#core/domain/metrics/metrics.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { metricText, whole } from '../text/format.ts';
import { METRIC_CASES } from './metric-cases.ts';
import { EXAMPLE } from '../text/words.ts';

/** Each case with its counts, and its metrics as in a record. */
export function nullCases() {
  return [{ name: 'All token types reported', ...EXAMPLE }, ...METRIC_CASES].map((counts) => {
    const metrics = recordMetrics(counts);
    const values = METRIC_NAMES.map((metric) => {
      const value = metrics[metric];
      return value === null ? 'null' : metricText(metric, value);
    });
    return { name: counts.name, note: countsText(counts), values };
  });
}

function countsText({ input, output, cache_write, cache_read }: Pillars): string {
  const shown = [input, output, cache_write, cache_read].map((count) => {
    return count === null ? 'null' : whole(count);
  });
  return ['I', 'O', 'W', 'R'].map((letter, at) => `${letter} ${shown[at]}`).join(', ');
}
