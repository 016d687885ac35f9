/** How a wrong count changes each metric, computed with the board's own functions. */
import { METRIC_NAMES, exactMetrics } from '#core/domain/metrics/metrics.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { changeText } from '../metric/metric-cases.ts';

/** A tenth of each is a whole number. */
const RIGHT = {
  input: 1_000_000,
  output: 9_000_000,
  cache_write: 100_000_000,
  cache_read: 2_000_000_000,
} satisfies Pillars;

const ERRORS = [
  { error: 'Fresh input 10% too high', pillar: 'input', factor: 1.1 },
  { error: 'Fresh input 10% too low', pillar: 'input', factor: 0.9 },
  { error: 'Fresh input twice as high', pillar: 'input', factor: 2 },
  { error: 'Output 10% too high', pillar: 'output', factor: 1.1 },
  { error: 'Cache reads 10% too high', pillar: 'cache_read', factor: 1.1 },
  { error: 'Cache writes 10% too high', pillar: 'cache_write', factor: 1.1 },
] as const;

export const EXAMPLE_VELOCITY = RIGHT.output / RIGHT.input;

/** Each error with the change of each metric. */
export function sensitivityCases(): { name: string; values: string[] }[] {
  const right = exactMetrics(RIGHT);
  return ERRORS.map(({ error, pillar, factor }) => {
    const wrong = exactMetrics({ ...RIGHT, [pillar]: Math.round(RIGHT[pillar] * factor) });
    const values = METRIC_NAMES.map((metric) => {
      return changeText(metric, right[metric] ?? 0, wrong[metric] ?? 0);
    });
    return { name: error, values };
  });
}
