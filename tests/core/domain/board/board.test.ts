import { describe, expect, test } from 'vitest';
import { percentileOf, rankingValue, whatIsMissing } from '#core/domain/board/board.ts';
import { BASES } from '#core/domain/metrics/day-series.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { certaintyWithin } from '#core/domain/metrics/interval.ts';
import { RULESET, eligibilityIn } from '#core/domain/board/ruleset.ts';
import type { BasisUsage, Standing } from '#core/domain/metrics/standing.ts';
import type { WindowName } from '#core/schema/board.ts';

const MET: BasisUsage = {
  input: 1000,
  output: 50_000,
  cache_write: 100,
  cache_read: 100,
  total: 1_000_000,
  active_days: 14,
  effective_days: 5,
};

/** A standing that meets every condition exactly. */
function aStanding(usage: Partial<BasisUsage> = {}, over: Partial<Standing> = {}): Standing {
  const basis = { ...MET, ...usage };
  return {
    bases: { all: basis, read: basis, read_write: basis },
    metrics: { yield: 10, leverage: 2, velocity: 5, snr: 0.8, dev10x: 0.3 },
    ...certaintyWithin({
      yield: [8, 12],
      leverage: [1, 3],
      velocity: [4, 6],
      snr: [0.7, 0.9],
      dev10x: [-0.2, 0.8],
    }),
    coverage: { all: 0.9, read: 0.9, read_write: 0.9 },
    last_active: 20_000,
    stated_days: null,
    ...over,
  };
}

const asked = (window: WindowName) => eligibilityIn(RULESET, window);

describe('whatIsMissing()', () => {
  test('does not rank an snr without input', () => {
    const metrics = { ...aStanding().metrics, yield: null, velocity: null, snr: 1 };
    const allOutput = aStanding({ input: 0 }, { metrics });

    expect(whatIsMissing(allOutput, 'snr', asked('30d'))).toMatchObject([
      { code: 'interval_undefined', required: null, actual: null },
    ]);
    expect(whatIsMissing(aStanding({ input: 1 }), 'snr', asked('30d'))).toEqual([]);
  });

  test.each([
    ['7d', 3, 2],
    ['30d', 7, 3],
    ['90d', 14, 5],
    ['all_time', 14, 5],
  ] as const)('requires days for %s', (window, active_days, effective_days) => {
    const enough = aStanding({ active_days, effective_days });
    const short = aStanding({
      active_days: active_days - 1,
      effective_days: effective_days - 0.01,
    });

    expect(whatIsMissing(enough, 'yield', asked(window))).toEqual([]);
    expect(whatIsMissing(short, 'yield', asked(window))).toMatchObject([
      { code: 'active_days_low', required: active_days, actual: active_days - 1 },
      { code: 'effective_days_low', required: effective_days, actual: effective_days - 0.01 },
    ]);
  });

  test.each([
    ['total_low', 1_000_000, { total: 999_999 }],
    ['output_low', 50_000, { output: 49_999 }],
  ] as const)('lists %s with both numbers', (code, required, usage) => {
    const [actual] = Object.values(usage);

    expect(whatIsMissing(aStanding(usage), 'yield', asked('30d'))).toMatchObject([
      { code, required, actual },
    ]);
  });

  test.each([
    ['yield', 'read'],
    ['leverage', 'read'],
    ['velocity', 'all'],
    ['snr', 'all'],
    ['dev10x', 'read_write'],
  ] as const)('checks %s by the buckets that it uses', (metric, basis) => {
    const enough = aStanding();
    const onlyThere = {
      ...enough,
      bases: { ...enough.bases, [basis]: { ...MET, total: 5 } },
      coverage: { ...enough.coverage, [basis]: 0.89 },
    };
    const elsewhere = {
      ...enough,
      bases: { ...mapBases({ ...MET, total: 5 }), [basis]: MET },
      coverage: { ...mapBases(0.1), [basis]: 0.9 },
    };

    expect(whatIsMissing(onlyThere, metric, asked('30d'))).toMatchObject([
      { code: 'total_low', required: 1_000_000, actual: 5 },
      { code: 'coverage_low', required: 0.9, actual: 0.89 },
    ]);
    expect(whatIsMissing(elsewhere, metric, asked('30d'))).toEqual([]);
  });

  test('reports an undefined metric and an undefined coverage', () => {
    const coverage = mapBases(null);
    const metrics = { ...aStanding().metrics, snr: null };

    expect(whatIsMissing(aStanding({}, { coverage, metrics }), 'snr', asked('30d'))).toMatchObject([
      { code: 'coverage_low', required: 0.9, actual: null },
      { code: 'metric_undefined', required: null, actual: null },
    ]);
  });

  test('lists every reason together', () => {
    const nothing = { total: 1, output: 0, active_days: 0, effective_days: 1 };
    const over = { coverage: mapBases(0), metrics: { ...aStanding().metrics, yield: null } };

    const codes = whatIsMissing(aStanding(nothing, over), 'yield', asked('7d')).map(
      ({ code }) => code,
    );

    expect(codes).toEqual([
      'active_days_low',
      'effective_days_low',
      'total_low',
      'output_low',
      'coverage_low',
      'metric_undefined',
    ]);
  });
});

describe('a minimum of stated days', () => {
  const asked = eligibilityIn({ ...RULESET, stated_days: 0.9 }, '30d');

  test.each([
    [1, []],
    [0.9, []],
    [26 / 29, [{ code: 'stated_days_low', required: 0.9, actual: 26 / 29 }]],
    [0, [{ code: 'stated_days_low', required: 0.9, actual: 0 }]],
    [null, [{ code: 'stated_days_low', required: 0.9, actual: null }]],
  ])('is compared with a share of %s for every metric', (stated_days, missing) => {
    const standing = aStanding({}, { stated_days });

    for (const metric of METRIC_NAMES) {
      expect(whatIsMissing(standing, metric, asked)).toMatchObject(missing);
      expect(rankingValue(standing, metric, asked) === null).toBe(missing.length > 0);
    }
  });
});

describe('rankingValue()', () => {
  test.each(METRIC_NAMES)('is the lower bound of %s if every condition is met', (metric) => {
    const standing = aStanding();

    expect(rankingValue(standing, metric, asked('90d'))).toBe(standing.intervals[metric]?.[0]);
  });

  test('is null exactly if a condition is not met', () => {
    const standings = [{}, { total: 5 }, { output: 5 }, { active_days: 9 }].map((usage) =>
      aStanding(usage),
    );

    const values = standings.map((standing) => rankingValue(standing, 'yield', asked('90d')));
    const missing = standings.map((standing) => whatIsMissing(standing, 'yield', asked('90d')));

    expect(values).toEqual([8, null, null, null]);
    expect(missing.map(({ length }) => length)).toEqual([0, 1, 1, 1]);
  });

  test('is null without an interval, which is then reported as missing', () => {
    const intervals = { ...aStanding().intervals, dev10x: null };
    const unsure = aStanding({}, { intervals });

    expect(rankingValue(unsure, 'dev10x', asked('30d'))).toBeNull();
    expect(whatIsMissing(unsure, 'dev10x', asked('30d'))).toMatchObject([
      { code: 'interval_undefined', required: null, actual: null },
    ]);
  });

  test('is 0 if the lower bound is 0', () => {
    const intervals = { ...aStanding().intervals, yield: [0, null] as [number, null] };

    expect(rankingValue(aStanding({}, certaintyWithin(intervals)), 'yield', asked('30d'))).toBe(0);
  });

  test('uses the given ruleset', () => {
    const lenient = eligibilityIn({ ...RULESET, total_tokens: 1 }, '30d');
    const small = aStanding({ total: 5 });

    expect(rankingValue(small, 'yield', asked('30d'))).toBeNull();
    expect(rankingValue(small, 'yield', lenient)).toBe(8);
  });
});

describe('percentileOf()', () => {
  const ranksOf = (operators: number) => Array.from({ length: operators }, (_, at) => at + 1);

  test('is shown once 20 operators are ranked', () => {
    expect(percentileOf(ranksOf(19), 0)).toBeNull();
    expect(percentileOf(ranksOf(20), 0)).toBe(0.95);
    expect(percentileOf(ranksOf(20), 19)).toBe(0);
  });

  test('counts only operators strictly below, at any place in a tie', () => {
    const ranks = [1, 2, 2, 2, ...ranksOf(20).slice(4)];

    expect([1, 2, 3].map((place) => percentileOf(ranks, place))).toEqual([0.8, 0.8, 0.8]);
    expect(percentileOf(ranks, 0)).toBe(0.95);
  });

  test('has 12 significant digits', () => {
    expect(percentileOf(ranksOf(21), 0)).toBe(0.952380952381);
  });
});

function mapBases<Value>(value: Value) {
  return Object.fromEntries(BASES.map((basis) => [basis, value])) as Record<
    (typeof BASES)[number],
    Value
  >;
}
