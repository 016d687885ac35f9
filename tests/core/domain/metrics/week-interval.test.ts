import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DayCounts, rangeOf, seriesOf } from '#core/domain/metrics/day-series.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { standingOf } from '#core/domain/metrics/standing.ts';
import { quantile975 } from '#core/domain/metrics/student-t.ts';
import { type Estimate, weekSpread } from '#core/domain/metrics/week-interval.ts';

const LAST = 20_000;

function aDay(day: number, counts: Partial<DayCounts> = {}): DayCounts {
  return { day, input: 1000, output: 5000, cache_write: 20_000, cache_read: 90_000, ...counts };
}

/** Days among the last 120, with gaps. */
const history = fc
  .uniqueArray(
    fc.record({
      day: fc.integer({ min: LAST - 119, max: LAST }),
      input: fc.integer({ min: 1, max: 1e6 }),
      output: fc.integer({ min: 0, max: 1e6 }),
      cache_write: fc.integer({ min: 1, max: 1e7 }),
      cache_read: fc.integer({ min: 0, max: 1e8 }),
    }),
    { selector: ({ day }) => day, minLength: 2, maxLength: 60 },
  )
  .map((days) => days.sort((a, b) => a.day - b.day));

/** The intervals of the last 30 days. */
function intervalsOf(days: readonly DayCounts[], interval: 'week-80' | 'week-95' = 'week-95') {
  const rules = { active_day_tokens: 0, interval };
  return standingOf(seriesOf(days), LAST - 29, LAST, rules)?.intervals ?? null;
}

const C = {
  yield: { input: -2, output: 1, cache_read: 1, tau: 2.5 },
  leverage: { input: -1, output: 0, cache_read: 1, tau: 1.25 },
  velocity: { input: -1, output: 1, cache_read: 0, tau: 1.25 },
} as const;

/** The spread by its definition: every stretch of seven days, one after the other. */
function byDefinition(days: readonly DayCounts[], estimate: Estimate) {
  const { tau, ...c } = C[estimate];
  const pillars = ['input', 'output', 'cache_read'] as const;
  const sum = (of: readonly DayCounts[], pillar: (typeof pillars)[number]) =>
    of.reduce((total, day) => total + (day[pillar] ?? 0), 0);
  const share = (of: readonly DayCounts[], pillar: (typeof pillars)[number]) =>
    sum(days, pillar) === 0 ? 0 : sum(of, pillar) / sum(days, pillar);
  const whole = pillars.reduce((total, pillar) => total + Math.abs(c[pillar]), 0);
  const evidence = (of: readonly DayCounts[]) =>
    pillars.reduce((total, pillar) => total + Math.abs(c[pillar]) * share(of, pillar), 0) / whole;
  const influence = (of: readonly DayCounts[]) =>
    pillars.reduce((total, pillar) => total + c[pillar] * share(of, pillar), 0);
  const weeks: DayCounts[][] = [];
  for (let start = LAST - 130; start <= LAST; start += 1) {
    const week = days.filter(({ day }) => day >= start && day < start + 7);
    if (week.length > 0) weeks.push(week);
  }
  const H = days.reduce((total, day) => total + evidence([day]) ** 2, 0);
  const A2 = weeks.reduce((total, week) => total + evidence(week) ** 2, 0);
  const A4 = weeks.reduce((total, week) => total + evidence(week) ** 4, 0);
  const U2 = weeks.reduce((total, week) => total + influence(week) ** 2, 0);
  const nu = Math.max(0, A2 ** 2 / (7 * A4) - 1);
  const v = nu === 0 ? 0 : U2 / (7 - A2) / H;
  const variance = Math.max((4 * tau ** 2 + nu * v) / (4 + nu), Math.min(1, nu) * v);
  return { variance, freedom: 4 + nu, H };
}

/** The bounds of yield over the last 30 days by their definition, with the spread of the last 90. */
function boundsByDefinition(days: readonly DayCounts[]) {
  const [window, last90] = [30, 90].map((length) => days.filter(({ day }) => day > LAST - length));
  const { variance, freedom } = byDefinition(last90 ?? [], 'yield');
  const { H } = byDefinition(window ?? [], 'yield');
  const sum = (pillar: 'cache_read' | 'input' | 'output') =>
    (window ?? []).reduce((total, day) => total + (day[pillar] ?? 0), 0);
  const value = (sum('output') * sum('cache_read')) / sum('input') ** 2;
  const [whole, part] = [Math.floor(freedom), freedom - Math.floor(freedom)];
  const step = quantile975(whole + 1) - quantile975(whole);
  const t = quantile975(whole) + (step * (whole + 1) * part) / freedom;
  const half = t * Math.sqrt(variance * H);
  return [value * Math.exp(-half), value * Math.exp(half)];
}

describe('weekSpread()', () => {
  test.each(Object.keys(C) as Estimate[])('is what its definition says: %s', (estimate) => {
    fc.assert(
      fc.property(history, (days) => {
        fc.pre(days.some(({ output }) => output > 0) && days.some((day) => day.cache_read > 0));
        const of = rangeOf(seriesOf(days).all, LAST - 119, LAST);
        const { variance, freedom } = weekSpread(of, estimate);
        const defined = byDefinition(days, estimate);

        expect(freedom).toBeCloseTo(defined.freedom, 8);
        expect(variance / defined.variance).toBeCloseTo(1, 8);
      }),
    );
  });

  test('one day has the spread of the prior', () => {
    const of = rangeOf(seriesOf([aDay(LAST)]).all, LAST - 89, LAST);

    expect(weekSpread(of, 'yield')).toEqual({ variance: 6.25, freedom: 4 });
    expect(weekSpread(of, 'velocity')).toEqual({ variance: 1.5625, freedom: 4 });
  });
});

describe('intervals by weeks', () => {
  test('are what their definition says, over a window that is shorter than the history', () => {
    fc.assert(
      fc.property(history, (days) => {
        const bounds = intervalsOf(days)?.yield;
        fc.pre(bounds !== undefined && bounds !== null && bounds[0] > 0);
        const [low = 0, high = 0] = boundsByDefinition(days);

        expect((bounds?.[0] ?? 0) / low).toBeCloseTo(1, 8);
        expect((bounds?.[1] ?? 0) / high).toBeCloseTo(1, 8);
      }),
    );
  });

  test('one day of yield divides and multiplies by 1034', () => {
    const [low = 0, high] = intervalsOf([aDay(LAST)])?.yield ?? [];
    const value = (90_000 * 5000) / 1000 ** 2;

    expect(value / low).toBeCloseTo(1034, 0);
    expect((high ?? 0) / value).toBeCloseTo(1034, 0);
  });

  test('days with one token move no bound by more than a ten-thousandth', () => {
    fc.assert(
      fc.property(history, (days) => {
        const own = new Set(days.map(({ day }) => day));
        const more = Array.from({ length: 30 }, (_, at) => LAST - at)
          .filter((day) => !own.has(day))
          .map((day) => aDay(day, { input: 0, output: 1, cache_write: 0, cache_read: 0 }));
        const large = days.map((day) => ({ ...day, output: 1e7 + day.output * 1000 }));
        const [before, after] = [large, [...large, ...more].sort((a, b) => a.day - b.day)].map(
          (all) => intervalsOf(all)?.yield,
        );
        fc.pre((before?.[0] ?? 0) > 0);

        for (const bound of [0, 1] as const) {
          const moved = Math.log((after?.[bound] ?? 0) / (before?.[bound] ?? 0));
          expect(Math.abs(moved)).toBeLessThan(1e-4);
        }
      }),
    );
  });

  test('scaling all counts changes nothing but rounding', () => {
    fc.assert(
      fc.property(history, (days) => {
        const scaled = days.map(({ day, ...counts }) => ({
          day,
          input: 8 * counts.input,
          output: 8 * counts.output,
          cache_write: 8 * (counts.cache_write ?? 0),
          cache_read: 8 * (counts.cache_read ?? 0),
        }));

        expect(intervalsOf(scaled)).toEqual(intervalsOf(days));
      }),
    );
  });

  test('the order of the counts of a day changes nothing', () => {
    const halves = [LAST - 3, LAST - 1].flatMap((day) => [
      aDay(day, { input: 7, output: 900 }),
      aDay(day, { input: 11, output: 100 }),
    ]);
    const [a, b, c, d] = halves as [DayCounts, DayCounts, DayCounts, DayCounts];

    expect(intervalsOf([b, a, d, c])).toEqual(intervalsOf(halves));
  });

  test('equal days have an interval, too', () => {
    const days = Array.from({ length: 30 }, (_, at) => aDay(LAST - 29 + at));
    const [low = 0, high] = intervalsOf(days)?.yield ?? [];

    expect(low / 450).toBeCloseTo(0.45, 1);
    expect((high ?? 0) / 450).toBeCloseTo(2.2, 1);
  });

  test('a value of 0, no input, and no cache reads', () => {
    const noReads = [aDay(LAST, { cache_read: 0 }), aDay(LAST - 1, { cache_read: 0 })];
    expect(intervalsOf(noReads)).toMatchObject({ yield: [0, 0], leverage: [0, 0], dev10x: null });
    const noInput = [aDay(LAST, { input: 0 })];
    expect(intervalsOf(noInput)).toMatchObject({ yield: null, velocity: null, snr: [0, null] });
    const noReport = [aDay(LAST, { cache_read: null })];
    expect(intervalsOf(noReport)).toMatchObject({ yield: null, leverage: null, dev10x: null });
  });

  test('the interval of dev10x is that of leverage on its scale, and that of snr of velocity', () => {
    const days = Array.from({ length: 20 }, (_, at) => aDay(LAST - at, { input: 500 + 90 * at }));
    days.reverse();
    const { leverage, dev10x, velocity, snr } = intervalsOf(days) ?? {};

    expect(dev10x?.[0]).toBeCloseTo(Math.log10(leverage?.[0] ?? 0), 9);
    expect(snr?.[1]).toBeCloseTo((velocity?.[1] ?? 0) / (1 + (velocity?.[1] ?? 0)), 9);
  });

  test('a narrower interval lies within a wider one', () => {
    fc.assert(
      fc.property(history, (days) => {
        const [wide, narrow] = [intervalsOf(days, 'week-95'), intervalsOf(days, 'week-80')];
        for (const metric of METRIC_NAMES) {
          const [outer, inner] = [wide?.[metric], narrow?.[metric]];
          if (!outer || !inner) continue;
          expect(inner[0]).toBeGreaterThanOrEqual(outer[0]);
          expect(inner[1] ?? Infinity).toBeLessThanOrEqual(outer[1] ?? Infinity);
        }
      }),
    );
  });

  test('has the same bits everywhere', () => {
    const days = Array.from({ length: 90 }, (_, at) => {
      const counts = { input: 900 + ((at * 37) % 101) ** 2, output: 5000 + ((at * 53) % 97) * 100 };
      return aDay(LAST - 89 + at, { ...counts, cache_read: 80_000 + ((at * 29) % 89) * 1000 });
    });

    expect(intervalsOf(days)).toMatchInlineSnapshot(`
      {
        "dev10x": [
          1.32153181383,
          1.58137368901,
        ],
        "leverage": [
          20.9667836487,
          38.1393852872,
        ],
        "snr": [
          0.642247628485,
          0.766116904719,
        ],
        "velocity": [
          1.79522954877,
          3.27564035271,
        ],
        "yield": [
          38.0003803536,
          123.746738042,
        ],
      }
    `);
  });
});
