import { describe, expect, test } from 'vitest';
import { calibrate } from '#core/domain/board/calibration.ts';
import { RULESET, type Ruleset } from '#core/domain/board/ruleset.ts';
import { type DaySeries, seriesOf } from '#core/domain/metrics/day-series.ts';
import { standingOf } from '#core/domain/metrics/standing.ts';
import { FIRST, scenario, simulatedDays } from '../../../../scripts/bench/simulate.mjs';
import { randomOf } from '../../../../scripts/random.mjs';

const LAST = FIRST + 89;

type Days = Parameters<typeof seriesOf>[0];

/** Simulated days of several operators, who differ in their spread. */
function someDays(operators: number): Days[] {
  const random = randomOf(7);
  return Array.from({ length: operators }, (_, at) => {
    const spread = { sigma: 1, inputSigma: 0.5 + at / operators, rho: at % 2 ? 0.8 : 0 };
    return simulatedDays(scenario('', spread), 90, random) as Days;
  });
}

const found = (operators: readonly Days[], ruleset: Ruleset = RULESET, last = LAST) =>
  calibrate(operators.map(seriesOf), { last, ruleset });
const firstOf = (operators: readonly Days[], ruleset?: Ruleset) =>
  found(operators, ruleset).methods[0];

/** 90 equal days, of which the first 60 have `times` as many cache reads. */
function changedOnce(times: number): Days {
  return Array.from({ length: 90 }, (_, at) => {
    const cache_read = 1_000_000 * (at < 60 ? times : 1);
    return { day: FIRST + at, input: 20_000, output: 40_000, cache_write: 0, cache_read };
  });
}

/** A part as if it were an operator's whole history. */
function partOf(days: Days, from: number, to: number, method: 'jackknife-95' | 'week-95') {
  const part: DaySeries = seriesOf(days.filter(({ day }) => day >= from && day <= to));
  return standingOf(part, from, to, { ...RULESET, interval: method });
}

describe('calibrate()', () => {
  test.each(['jackknife-95', 'week-95'] as const)(
    'compares days 1 to 60 with days 61 to 90, each on its own, by %s',
    (method) => {
      const operators = someDays(40);
      const agreed = operators.filter((days) => {
        const parts = [
          partOf(days, FIRST, FIRST + 59, method),
          partOf(days, FIRST + 60, LAST, method),
        ];
        const [a, b] = parts.map((part) => {
          const { metrics, intervals } = part ?? expect.fail();
          const [low, high] = intervals.yield ?? expect.fail();
          const theta = Math.log(metrics.yield ?? 0);
          return { theta, half: (Math.log(high ?? Infinity) - Math.log(low)) / 2 };
        }) as [{ theta: number; half: number }, { theta: number; half: number }];
        return Math.abs(a.theta - b.theta) <= Math.hypot(a.half, b.half);
      });

      const of = found(operators).methods.find((one) => one.method === method);

      expect(of?.yield).toEqual({
        operators: 40,
        agreed: agreed.length,
        percent: (100 * agreed.length) / 40,
      });
      expect(agreed.length).toBeGreaterThan(0);
    },
  );

  test('leaves out a minimum of stated days, which says nothing about intervals', () => {
    const operators = someDays(4);

    expect(found(operators, { ...RULESET, stated_days: 1 })).toEqual(found(operators));
    expect(firstOf(operators)?.yield.operators).toBe(4);
  });

  test('depends on no day outside the 90, and not on the order of operators', () => {
    const operators = someDays(20);
    const around = operators.map((days) => [
      { day: FIRST - 1, input: 9e9, output: 1, cache_write: 0, cache_read: 1 },
      ...days,
      { day: LAST + 1, input: 1, output: 9e9, cache_write: 0, cache_read: 9e9 },
    ]);

    expect(found(around.toReversed())).toEqual(found(operators));
  });

  test('finds that a change between the parts is larger than equal days explain', () => {
    expect(firstOf([changedOnce(1)])?.yield).toEqual({ operators: 1, agreed: 1, percent: 100 });
    expect(firstOf([changedOnce(2)])?.yield).toEqual({ operators: 1, agreed: 0, percent: 0 });
    expect(firstOf([changedOnce(2)])?.velocity).toMatchObject({ operators: 1, agreed: 1 });
  });

  test('counts operators who would be ranked over 30 days by each part alone', () => {
    const days = changedOnce(1);
    const required = RULESET.active_days['30d'];
    const lateFor = (count: number) => days.filter(({ day }) => day < FIRST + 60 + count);
    const earlyFor = (count: number) => days.filter(({ day }) => day >= FIRST + 60 - count);
    const operatorsOf = (of: Days) => firstOf([of])?.yield.operators;

    expect([lateFor(required - 1), lateFor(required)].map(operatorsOf)).toEqual([0, 1]);
    expect([earlyFor(required - 1), earlyFor(required)].map(operatorsOf)).toEqual([0, 1]);
    expect(firstOf([])?.yield).toEqual({ operators: 0, agreed: 0, percent: null });
    const stricter = { ...RULESET, active_days: { ...RULESET.active_days, '30d': 31 } };
    expect(firstOf([days], stricter)?.yield.operators).toBe(0);
  });

  test('counts each metric where it has a value that is not 0', () => {
    const unreported = changedOnce(1).map((day) => ({ ...day, cache_read: null }));
    const unread = changedOnce(1).map((day) => ({ ...day, cache_read: 0 }));

    expect(firstOf([unreported, unread, changedOnce(1)])).toMatchObject({
      yield: { operators: 1 },
      leverage: { operators: 1 },
      velocity: { operators: 3 },
    });
  });

  test('names the method of the ranking rules first, and compares both', () => {
    const methodsOf = (interval?: string) => {
      const { methods, ...head } = found([], { ...RULESET, interval });
      return { ...head, methods: methods.map((of) => [of.method, of.expected_percent]) };
    };
    const [jackknife, week] = [
      ['jackknife-95', 95],
      ['week-95', 95],
    ];

    expect(methodsOf('jackknife-95')).toEqual({
      method: 'jackknife-95',
      methods: [jackknife, week],
    });
    expect(methodsOf('week-95')).toEqual({ method: 'week-95', methods: [week, jackknife] });
    expect(methodsOf('week-80').methods).toEqual([['week-80', 80], jackknife, week]);
    expect(methodsOf('of a later version').methods).toEqual([jackknife, week]);
    expect(methodsOf(undefined)).toEqual({ method: null, methods: [jackknife, week] });
  });
});
