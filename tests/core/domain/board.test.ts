import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { percentileOf, rankContenders, rankingValue, whatIsMissing } from '#core/domain/board.ts';
import { METRIC_NAMES } from '#core/domain/metrics.ts';
import { RULESET } from '#core/domain/ruleset.ts';
import { BASES, type BasisUsage, type Standing } from '#core/domain/standing.ts';
import { WINDOWS } from '#core/domain/window.ts';

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
    coverage: { all: 0.9, read: 0.9, read_write: 0.9 },
    last_active: 20_000,
    ...over,
  };
}

/** A contender, named by the position in the list. */
interface Contender {
  value: number;
  total?: number;
}

function rank(contenders: Contender[]) {
  return rankContenders(
    contenders.map(({ value }) => value),
    contenders.map(({ total = 1 }) => total),
  );
}

/** Position and rank, best first. */
function places(contenders: Contender[]): [number, number][] {
  const { ranked, ranks } = rank(contenders);
  return ranked.map((position, index) => [position, ranks[index] ?? 0]);
}

describe('whatIsMissing()', () => {
  test('does not rank an snr without input, which is at the end of its scale', () => {
    const metrics = { ...aStanding().metrics, yield: null, velocity: null, snr: 1 };
    const allOutput = aStanding({ input: 0 }, { metrics });

    expect(whatIsMissing(allOutput, 'snr', '30d', RULESET)).toEqual([
      { code: 'interval_undefined', required: null, actual: null },
    ]);
    expect(whatIsMissing(aStanding({ input: 1 }), 'snr', '30d', RULESET)).toEqual([]);
  });

  test.each([
    ['7d', 3, 2],
    ['30d', 7, 3],
    ['90d', 14, 5],
    ['all_time', 14, 5],
  ] as const)('asks for the days of %s', (window, active_days, effective_days) => {
    const enough = aStanding({ active_days, effective_days });
    const short = aStanding({
      active_days: active_days - 1,
      effective_days: effective_days - 0.01,
    });

    expect(whatIsMissing(enough, 'yield', window, RULESET)).toEqual([]);
    expect(whatIsMissing(short, 'yield', window, RULESET)).toEqual([
      { code: 'active_days_low', required: active_days, actual: active_days - 1 },
      { code: 'effective_days_low', required: effective_days, actual: effective_days - 0.01 },
    ]);
  });

  test.each([
    ['total_low', 1_000_000, { total: 999_999 }],
    ['output_low', 50_000, { output: 49_999 }],
  ] as const)('lists %s with both numbers', (code, required, usage) => {
    const [actual] = Object.values(usage);

    expect(whatIsMissing(aStanding(usage), 'yield', '30d', RULESET)).toEqual([
      { code, required, actual },
    ]);
  });

  test.each([
    ['yield', 'read'],
    ['leverage', 'read'],
    ['velocity', 'all'],
    ['snr', 'all'],
    ['dev10x', 'read_write'],
  ] as const)('judges %s by the buckets that it uses', (metric, basis) => {
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

    expect(whatIsMissing(onlyThere, metric, '30d', RULESET)).toEqual([
      { code: 'total_low', required: 1_000_000, actual: 5 },
      { code: 'coverage_low', required: 0.9, actual: 0.89 },
    ]);
    expect(whatIsMissing(elsewhere, metric, '30d', RULESET)).toEqual([]);
  });

  test('tells an undefined metric and a coverage of nothing', () => {
    const coverage = mapBases(null);
    const metrics = { ...aStanding().metrics, snr: null };

    expect(whatIsMissing(aStanding({}, { coverage, metrics }), 'snr', '30d', RULESET)).toEqual([
      { code: 'coverage_low', required: 0.9, actual: null },
      { code: 'metric_undefined', required: null, actual: null },
    ]);
  });

  test('lists every reason at once', () => {
    const nothing = { total: 1, output: 0, active_days: 0, effective_days: 1 };
    const over = { coverage: mapBases(0), metrics: { ...aStanding().metrics, yield: null } };

    const codes = whatIsMissing(aStanding(nothing, over), 'yield', '7d', RULESET).map(
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

describe('rankingValue()', () => {
  test.each(METRIC_NAMES)('is the value of %s for who meets every condition', (metric) => {
    const standing = aStanding();

    expect(WINDOWS.map((window) => rankingValue(standing, metric, window, RULESET))).toEqual(
      WINDOWS.map(() => standing.metrics[metric]),
    );
  });

  test('is null exactly for who lacks something', () => {
    const standings = [{}, { total: 5 }, { output: 5 }, { active_days: 9 }].map((usage) =>
      aStanding(usage),
    );

    const values = standings.map((standing) => rankingValue(standing, 'yield', '90d', RULESET));
    const missing = standings.map((standing) => whatIsMissing(standing, 'yield', '90d', RULESET));

    expect(values).toEqual([10, null, null, null]);
    expect(missing.map(({ length }) => length)).toEqual([0, 1, 1, 1]);
  });

  test('goes by the ruleset that it is given', () => {
    const lenient = { ...RULESET, total_tokens: 1 };
    const small = aStanding({ total: 5 });

    expect(rankingValue(small, 'yield', '30d', RULESET)).toBeNull();
    expect(rankingValue(small, 'yield', '30d', lenient)).toBe(10);
  });
});

describe('rankContenders()', () => {
  test('ranks the larger value first, and equal values alike: 1, 2, 2, 4', () => {
    expect(places([{ value: 9 }, { value: 5 }, { value: 5 }, { value: 1 }])).toEqual([
      [0, 1],
      [1, 2],
      [2, 2],
      [3, 4],
    ]);
    expect(places([{ value: 1 }, { value: 9 }])).toEqual([
      [1, 1],
      [0, 2],
    ]);
  });

  test('orders a tie by total, then by codename', () => {
    expect(places([{ value: 5 }, { value: 5 }, { value: 5, total: 2 }])).toEqual([
      [2, 1],
      [0, 1],
      [1, 1],
    ]);
  });

  test('ranks a value of zero and a negative one', () => {
    expect(places([{ value: -1 }, { value: 0 }])).toEqual([
      [1, 1],
      [0, 2],
    ]);
  });

  test('leaves out who cannot be ranked, by codename', () => {
    expect(rank([{ value: NaN }, { value: 1 }, { value: NaN }])).toEqual({
      ranked: [1],
      ranks: [1],
      unranked: [0, 2],
    });
  });

  test('is empty for nobody', () => {
    expect(rank([])).toEqual({ ranked: [], ranks: [], unranked: [] });
  });

  test('gives everybody one place, and each a rank that counts the better ones', () => {
    const contender = fc.record({
      value: fc.oneof(fc.nat(5), fc.constant(NaN)),
      total: fc.nat(3),
    });

    fc.assert(
      fc.property(fc.array(contender, { maxLength: 30 }), (all) => {
        const { ranked, ranks, unranked } = rank(all);
        const better = ranked.map((position) => {
          const { value = 0 } = all[position] ?? {};
          return all.filter((other) => other.value > value).length;
        });

        expect([...ranked, ...unranked].sort((a, b) => a - b)).toEqual([...all.keys()]);
        expect(ranks).toEqual(better.map((count) => count + 1));
      }),
    );
  });
});

describe('percentileOf()', () => {
  const ranksOf = (operators: number) => Array.from({ length: operators }, (_, at) => at + 1);

  test('is shown from 20 ranked on', () => {
    expect(percentileOf(ranksOf(19), 0)).toBeNull();
    expect(percentileOf(ranksOf(20), 0)).toBe(0.95);
    expect(percentileOf(ranksOf(20), 19)).toBe(0);
  });

  test('counts only who is strictly below, wherever one stands in a tie', () => {
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
