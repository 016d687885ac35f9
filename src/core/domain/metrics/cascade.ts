/** How tokens flow from one pillar to the next, and how they are spread over the four. */
import type { Cascade, Shape } from '#core/schema/operator.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { totalOf } from '../counting/bucket.ts';
import { significant } from './metrics.ts';

/**
 * The stages of the cascade to 12 significant digits; their product is leverage.
 *
 * @param counts The sums over the buckets that report both cache pillars.
 */
export function cascadeOf({ input, output, cache_write, cache_read }: Pillars): Cascade {
  return {
    transmission: ratio(output, input),
    commitment: ratio(cache_write, output),
    reuse: ratio(cache_read, cache_write),
  };
}

/**
 * The pillars' shares of all tokens, to 12 significant digits.
 *
 * @param counts Their total is above zero.
 */
export function shapeOf(counts: Pillars): Shape {
  const total = totalOf(counts);
  const { input, output, cache_write, cache_read } = counts;
  return {
    input: significant(input / total),
    output: significant(output / total),
    cache_write: ratio(cache_write, total),
    cache_read: ratio(cache_read, total),
  };
}

function ratio(part: number | null, whole: number | null): number | null {
  return part === null || whole === null || whole === 0 ? null : significant(part / whole);
}
