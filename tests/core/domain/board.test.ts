import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Contender, rankContenders, whatIsMissing } from '#core/domain/board.ts';
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
    tools: ['claude-code'],
    last_active: 20_000,
    ...over,
  };
}

function aContender(codename: string, value: number | null, total = 1_000_000): Contender {
  const metrics = { ...aStanding().metrics, yield: value };
  return { codename, standing: aStanding({ total }, { metrics }) };
}

/** Codename and rank, best first. */
function places(contenders: Contender[]): [string | undefined, number][] {
  const { ranked } = rankContenders(contenders, 'yield', '30d', RULESET);
  return ranked.map(({ contender, rank }) => [contenders[contender]?.codename, rank]);
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

describe('rankContenders()', () => {
  test('ranks the larger value first, and equal values alike: 1, 2, 2, 4', () => {
    expect(
      places([aContender('d', 1), aContender('b', 5), aContender('a', 9), aContender('c', 5)]),
    ).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 2],
      ['d', 4],
    ]);
  });

  test('orders a tie by total, then by codename', () => {
    expect(places([aContender('a', 5), aContender('c', 5, 2_000_000), aContender('b', 5)])).toEqual(
      [
        ['c', 1],
        ['a', 1],
        ['b', 1],
      ],
    );
  });

  test('ranks a value of zero and a negative one', () => {
    expect(places([aContender('a', -1), aContender('b', 0)])).toEqual([
      ['b', 1],
      ['a', 2],
    ]);
  });

  test('leaves out who is not eligible, by codename', () => {
    const contenders = [aContender('c', null), aContender('b', 1), aContender('a', 9, 10)];

    const { ranked, unranked } = rankContenders(contenders, 'yield', '30d', RULESET);

    expect(ranked).toEqual([{ contender: 1, rank: 1 }]);
    expect(unranked).toEqual([
      { contender: 2, reasons: [{ code: 'total_low', required: 1_000_000, actual: 10 }] },
      { contender: 0, reasons: [{ code: 'metric_undefined', required: null, actual: null }] },
    ]);
  });

  test('is empty for nobody', () => {
    expect(rankContenders([], 'snr', '7d', RULESET)).toEqual({ ranked: [], unranked: [] });
  });

  test('gives everybody one place, whatever the order of the input', () => {
    const contender = fc
      .record({
        name: fc.nat(999),
        value: fc.option(fc.nat(5)),
        total: fc.integer({ min: 999_998, max: 1_000_003 }),
      })
      .map(({ name, value, total }) => aContender(`op-${name}`, value, total));
    const scene = fc
      .uniqueArray(contender, { selector: ({ codename }) => codename, maxLength: 20 })
      .chain((all) =>
        fc.record({
          all: fc.constant(all),
          shuffled: fc.shuffledSubarray(all, { minLength: all.length }),
        }),
      );

    fc.assert(
      fc.property(scene, ({ all, shuffled }) => {
        const { ranked, unranked } = rankContenders(all, 'yield', '30d', RULESET);
        const everybody = [...ranked, ...unranked].map(({ contender }) => contender);

        expect(places(shuffled)).toEqual(places(all));
        expect(everybody.sort((a, b) => a - b)).toEqual([...all.keys()]);
      }),
    );
  });

  test('ranks by every metric in every window', () => {
    const boards = WINDOWS.flatMap((window) =>
      METRIC_NAMES.map((metric) => rankContenders([aContender('a', 1)], metric, window, RULESET)),
    );

    expect(boards).toHaveLength(20);
    expect(boards.every(({ ranked }) => ranked[0]?.rank === 1)).toBe(true);
  });
});

function mapBases<Value>(value: Value) {
  return Object.fromEntries(BASES.map((basis) => [basis, value])) as Record<
    (typeof BASES)[number],
    Value
  >;
}
