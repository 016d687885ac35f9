/** A short version of `scripts/bench/coverage.mjs`, which catches changes for the worse. */
import { describe, expect, test } from 'vitest';
import { randomOf } from '../../../../scripts/random.mjs';
import {
  SCENARIOS,
  SPREADS,
  simulatedStanding,
  thinAmongTop,
  trueMetrics,
} from '../../../../scripts/bench/simulate.mjs';

const FIELDS = 15;
const OPERATORS = 1000;

describe('ranking by the lower bound', () => {
  // The maximum of the ten places. Ranked by the value alone, it is 5.8, 6.1 and 6.9.
  test.each([
    [1.8, SPREADS[0]],
    [2.9, SPREADS[1]],
    [3.6, SPREADS[2]],
  ])('leaves the operators with few days %d of the top ten at %j', (most, spread) => {
    const random = randomOf(3);
    const found = Array.from({ length: FIELDS }, () =>
      thinAmongTop(spread, random, { isAsked: false }),
    );
    const mean = (of: 'plain' | 'conservative') =>
      found.reduce((sum, one) => sum + one[of], 0) / FIELDS;

    expect(mean('conservative')).toBeLessThanOrEqual(most);
    expect(mean('plain')).toBeGreaterThan(5);
  });
});

describe('the interval of independent days', () => {
  test('contains the true value nearly as often as it should', () => {
    const [even] = SCENARIOS;
    const random = randomOf(5);
    const truth = even && trueMetrics(even, 30).yield;

    const held = Array.from({ length: OPERATORS }, () => {
      const [low = 0, high = 0] = simulatedStanding(even, 30, random)?.intervals.yield ?? [];
      return low <= (truth ?? 0) && (truth ?? 0) <= (high ?? Infinity);
    });

    const share = held.filter(Boolean).length / OPERATORS;
    expect(share).toBeGreaterThan(0.92);
    expect(share).toBeLessThan(0.97);
  });
});
