import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactMetric } from '#core/domain/metrics/metrics.ts';
import { pillarDeltas } from '#core/domain/peers/peers.ts';
import type { Pillars } from '#core/schema/usage.ts';

const count = fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 2 ** 51 - 1 }));
const counts: fc.Arbitrary<Pillars> = fc.record({
  input: count,
  output: count,
  cache_write: fc.option(count),
  cache_read: count,
});

const yieldOf = (of: Pillars) => exactMetric('yield', of) ?? 0;
const A: Pillars = { input: 100, output: 200, cache_write: 300, cache_read: 400 };

describe('pillarDeltas()', () => {
  test('adds up to ln of the ratio of the yields: to 1e-12, and to 1e-11 of published ones', () => {
    fc.assert(
      fc.property(counts, counts, (caller, peer) => {
        const { deltas } = pillarDeltas(caller, peer);
        if (!deltas) return false;
        const sum = deltas.cache_read + deltas.output + deltas.input;
        const published = Math.log(yieldOf(peer) / yieldOf(caller));
        return Math.abs(sum - deltas.total) <= 1e-12 && Math.abs(sum - published) <= 1.1e-11;
      }),
      { numRuns: 2000 },
    );
  });

  test('compares shares: twice the tokens of everything makes no difference', () => {
    const twice = { input: 200, output: 400, cache_write: 600, cache_read: 800 };

    expect(pillarDeltas(A, twice).deltas).toEqual({ cache_read: 0, output: 0, input: 0, total: 0 });
  });

  test('weights fresh input with the power of -2', () => {
    const half = { ...A, input: 50, cache_write: 350 };

    const { deltas } = pillarDeltas(A, half);

    expect(deltas).toMatchObject({ cache_read: 0, output: 0 });
    expect(deltas?.input).toBeCloseTo(2 * Math.LN2, 12);
  });

  test.each([
    ['peer', A, { ...A, cache_read: 0 }],
    ['caller', { ...A, cache_read: 0 }, A],
    ['both', { ...A, cache_read: 0 }, { ...A, cache_read: 0 }],
  ])('has none if a share is 0: %s', (whose, caller, peer) => {
    const zero_share = { whose, pillar: 'cache_read' };
    expect(pillarDeltas(caller, peer)).toEqual({ deltas: null, zero_share });
  });
});
