/** A short version of `scripts/bench/coverage.mjs`, which catches changes for the worse. */
import { describe, expect, test } from 'vitest';
import { randomOf } from '../../../../scripts/random.mjs';
import {
  METHODS,
  SCENARIOS,
  SPREADS,
  scenarioOf,
  simulatedStanding,
  thinAmongTop,
  trueMetrics,
} from '../../../../scripts/bench/simulate.mjs';

const FIELDS = 15;
const OPERATORS = 1000;

describe('ranking by the conservative value', () => {
  // The maximum of the ten places. Ranked by the value alone, it is 5.8, 6.1 and 6.9.
  test.each([
    ['jackknife-95', 1.8, SPREADS[0]],
    ['jackknife-95', 2.9, SPREADS[1]],
    ['jackknife-95', 3.6, SPREADS[2]],
    ['week-95, six tenths', 0.5, SPREADS[0]],
    ['week-95, six tenths', 1.8, SPREADS[1]],
    ['week-95, six tenths', 3.6, SPREADS[2]],
  ] as const)('by %s leaves the operators with few days %d of the top ten at %j', (...how) => {
    const [method, most, spread] = how;
    const random = randomOf(3);
    const found = Array.from({ length: FIELDS }, () =>
      thinAmongTop(spread, random, { isAsked: false, ranking: METHODS[method] }),
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

describe('the interval by weeks', () => {
  test('contains the true value of most people', () => {
    const people = SCENARIOS.find(({ name }) => name.startsWith('people'));
    const random = randomOf(5);

    const held = Array.from({ length: OPERATORS }, () => {
      const operator = scenarioOf(people, random);
      const truth = trueMetrics(operator, 30).yield ?? 0;
      const standing = simulatedStanding(operator, 30, random, { method: 'week-95' });
      const [low = 0, high = 0] = standing.intervals.yield ?? [];
      return low <= truth && truth <= (high ?? Infinity);
    });

    expect(held.filter(Boolean).length / OPERATORS).toBeGreaterThan(0.91);
  });
});
