/** Rules that apply to every chart. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distributionOf } from '#core/domain/metrics/distribution.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { spreadOf } from '#core/domain/metrics/spread.ts';
import { cascadeBar } from '../../src/charts/cascade-bar.ts';
import { distributionChart } from '../../src/charts/distribution-chart.ts';
import { historyLine } from '../../src/charts/history-line.ts';
import { measure } from '../../src/charts/measure.ts';
import { scatter } from '../../src/charts/scatter.ts';
import { sparkLine } from '../../src/charts/spark-line.ts';
import { drawn } from '../support/pages/drawn.ts';
import { percent, shapesOf } from '../support/pages/shapes.ts';

const HOSTILE = '"><script>alert(1)</script>&amp;\u0000]]>';
const value = fc.oneof(
  fc.constantFrom(0, 1e-16, 1e-9, 1, 1e15),
  fc.double({ noNaN: true, min: 1e-9, max: 1e15 }),
);
const maybe = fc.option(value);
const label = fc.oneof(fc.constant(HOSTILE), fc.string({ unit: 'binary', maxLength: 8 }));
const values = fc.array(value, { minLength: 5, maxLength: 30 });
const day = fc.integer({ min: 0, max: 3_000 });
const dateOf = (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10);

/** All charts for the same data. */
const charts = fc
  .record({
    metric: fc.constantFrom(...METRIC_NAMES),
    values,
    days: fc.array(fc.tuple(day, maybe), { maxLength: 12 }),
    marks: fc.array(fc.record({ date: day.map(dateOf), label }), { maxLength: 3 }),
    value: maybe,
    low: value,
    high: maybe,
    median: maybe,
    label,
  })
  .map((given) => {
    const { metric, label } = given;
    // Values that metrics cannot have: shares end at 1, and logarithms at 16.
    const fit = (one: number) =>
      metric === 'snr' ? one / 1e15 : metric === 'dev10x' ? Math.log10(one + 1e-16) : one;
    const known = given.value ?? 1;
    const all = Float64Array.from(given.values);
    const points = given.days
      .toSorted(([a], [b]) => a - b)
      .map(([at, one]) => ({ date: dateOf(at), value: one === null ? null : fit(one) }));
    const distribution = distributionOf(metric, all.map(fit));
    const spread = spreadOf(all, all.toReversed());
    if (!distribution || !spread) throw new Error('five values have both');
    const [input, output] = given.values.map(Math.round) as [number, number];
    const high = given.high === null ? null : fit(Math.max(given.high, known));
    const interval = [fit(Math.min(given.low, known)), high] as const;
    const median = given.median === null ? null : fit(given.median);
    return [
      distributionChart({ metric, distribution, here: { value: fit(known), label } }),
      historyLine({ metric, points, marks: given.marks }),
      scatter({ spread, here: { leverage: known, velocity: known, label } }),
      cascadeBar({ input, output, cache_write: given.value, cache_read: given.median }),
      measure({ metric, value: fit(known), conservative: interval[0], interval, median }),
      sparkLine({ metric, values: points.map((point) => point.value) }),
    ];
  });

const ELEMENTS = ['svg', 'title', 'desc', 'text', 'line', 'path', 'rect', 'circle', 'g'];
/** Texts that a chart may not contain, such as invalid numbers. */
const SOUND: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    ['x', 'y', 'x1', 'x2', 'y1', 'y2', 'cx', 'cy', 'r', 'width', 'height', 'dx'].map((name) => {
      return [name, /^-?\d+(\.\d+)?%?$/];
    }),
  ),
  d: /^[MLlh\d -]+$/,
  viewBox: /^0 0 \d+ \d+$/,
  'stroke-width': /^\d+(\.5)?$/,
  style: /^never$/,
};

const faultsOf = (svg: string) =>
  shapesOf(svg).filter(({ name, attributes }) => {
    const isSound = ([key, text]: [string, string]) => SOUND[key]?.test(text) ?? true;
    return !ELEMENTS.includes(name) || !Object.entries(attributes).every(isSound);
  });

describe('every chart', () => {
  test('is valid markup without styles, scripts or invalid numbers', () => {
    fc.assert(
      fc.property(charts, (all) => {
        expect(all.flatMap(({ svg }) => faultsOf(svg))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('stays within its width', () => {
    fc.assert(
      fc.property(charts, (all) => {
        const places = all
          .flatMap(({ svg }) => shapesOf(svg))
          .flatMap(({ attributes }) =>
            ['x', 'x1', 'x2', 'cx'].map((key) => percent(attributes[key])),
          )
          .filter((place) => !Number.isNaN(place));
        expect(Math.min(...places)).toBeGreaterThanOrEqual(-0.01);
        expect(Math.max(...places)).toBeLessThanOrEqual(100.01);
      }),
      { numRuns: 150 },
    );
  });

  test('can be drawn by another program', async () => {
    const samples = fc.sample(charts, { numRuns: 5, seed: 7 }).flat();
    const inner = samples.map(({ svg }) => svg).join('');
    const size = 'width="640" height="480"';
    const picture = await drawn(`<svg xmlns="http://www.w3.org/2000/svg" ${size}>${inner}</svg>`);
    expect(picture.width).toBe(640);
  });

  test('has a title and a description', () => {
    const [sample = []] = fc.sample(charts, { numRuns: 1, seed: 1 });
    for (const { svg } of sample.slice(0, 5)) {
      const [, title, desc] = shapesOf(svg);
      expect([title?.name, desc?.name]).toEqual(['title', 'desc']);
      expect(title?.text).not.toBe('');
      expect(desc?.text).toMatch(/\.$/);
    }
  });
});
