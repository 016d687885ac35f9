import { describe, expect, test } from 'vitest';
import { type Distribution, distributionOf } from '#core/domain/metrics/distribution.ts';
import type { MetricName } from '#core/schema/record.ts';
import { distributionChart } from '../../src/charts/distribution-chart.ts';
import { distributionTable } from '../../src/charts/tables.ts';
import { ofClass, percent, shapesOf, textsOf } from '../support/pages/shapes.ts';

const of = (metric: MetricName, ...values: number[]) =>
  distributionOf(metric, Float64Array.from(values)) as Distribution;
const FIELD = of('yield', 1, 10, 20, 100, 5_000, 10_000);
const draw = (here?: { value: number; label: string }, distribution = FIELD) =>
  distributionChart({ metric: 'yield', distribution, here }).svg;
/** The position of a value between the ends of the plot. */
const placeOf = (power: number) => expect.closeTo(11 + (power / 4) * 89, 1) as number;

describe('distributionChart()', () => {
  test('draws each bin between its edges, with a height for the number of operators', () => {
    const bars = ofClass(draw(), 'bin');
    expect(bars.map(({ x }) => percent(x))).toEqual([0, 1, 2, 3].map(placeOf));
    expect(bars.map(({ width }) => percent(width))).toEqual(
      bars.map(() => expect.closeTo(22.25, 1)),
    );
    expect(bars.map(({ height }) => Number(height))).toEqual([59, 118, 59, 118]);
    for (const { y, height } of bars) expect(Number(y) + Number(height)).toBe(196);
  });

  test('draws the quartiles above the bars', () => {
    const [median] = ofClass(draw(), 'median');
    expect(percent(median?.['x1'])).toEqual(placeOf(Math.log10(60)));
    const [, lower, upper] = ofClass(draw(), 'middle').map(({ x1 }) => percent(x1));
    expect([lower, upper]).toEqual([placeOf(1), placeOf(Math.log10(5_000))]);
    expect(textsOf(draw())).toContain('median 60');
  });

  test('labels the axes with the log scale and the unit', () => {
    expect(textsOf(draw())).toEqual(
      expect.arrayContaining(['Yield, log scale', '1', '100', '10k', '2 operators']),
    );
    const linear = distributionChart({
      metric: 'snr',
      distribution: of('snr', 0, 0.2, 0.3, 0.4, 1),
    });
    expect(textsOf(linear.svg)).toContain('SNR');
  });

  test('marks an operator, also far from the others, and notes that zero is off the axis', () => {
    const here = (value: number) => draw({ value, label: 'here' });
    expect(percent(ofClass(here(100), 'needle')[0]?.['x1'])).toEqual(placeOf(2));
    expect(percent(ofClass(here(1e-3), 'needle')[0]?.['x1'])).toBe(11);
    expect(ofClass(here(0), 'needle')).toEqual([]);
    expect(textsOf(here(0))).toContain('here: 0');
    expect(ofClass(draw(), 'needle')).toEqual([]);
  });

  test("places the label away from the median's line", () => {
    const near = of('yield', 1, 10, 10, 10, 10, 10_000);
    const label = (value: number, field = near) => {
      const svg = draw({ value, label: 'here' }, field);
      const { attributes } = shapesOf(svg).find(({ text }) => text.startsWith('here:')) ?? {};
      return { anchor: attributes?.['text-anchor'], pieces: ofClass(svg, 'median').length };
    };
    expect(label(12)).toEqual({ anchor: 'start', pieces: 1 });
    expect(label(1_000)).toEqual({ anchor: 'end', pieces: 1 });
    expect(label(400, of('yield', 1, 500, 500, 500, 10_000))).toEqual({ anchor: 'end', pieces: 1 });
    // Without room on the other side, the line is interrupted.
    expect(label(2)).toEqual({ anchor: 'start', pieces: 2 });
    expect(label(9_000, of('yield', 1, 3_000, 3_000, 3_000, 10_000))).toEqual({
      anchor: 'end',
      pieces: 2,
    });
  });

  test('has its top line above the tallest bar', () => {
    const svg = draw(undefined, of('yield', 1, 1, 1, 1, 1, 1, 1, 10_000));
    expect(textsOf(svg)).toContain('10 operators');
    expect(ofClass(svg, 'bin').map(({ y }) => Number(y))).toContain(113.4);
  });

  test('names values that are off the chart', () => {
    const far = of('yield', 1e-9, 10, 20, 100, 5_000, 10_000, 1e17);
    const svg = draw({ value: 1e-9, label: 'here' }, far);
    expect(textsOf(svg)).toContain('1 further left, 1 further right');
    expect(textsOf(svg)).toContain('off the chart, here: 1e-9');
    expect(ofClass(svg, 'needle')).toEqual([]);
    expect(shapesOf(svg)[2]?.text).toContain('Off the chart: 1 further left, 1 further right.');
    for (const { x1 } of ofClass(svg, 'median')) expect(percent(x1)).toBeLessThanOrEqual(100);
    const { rows } = distributionTable('yield', far);
    expect([rows[0]?.[0]?.startsWith('below '), rows.at(-1)?.[0]?.startsWith('above ')]).toEqual([
      true,
      true,
    ]);
  });

  test('has a title and a description for screen readers', () => {
    const [chart, title, desc] = shapesOf(draw({ value: 100, label: 'here' }));
    expect(chart?.attributes).toMatchObject({ role: 'img', width: '100%' });
    expect(title).toMatchObject({ name: 'title', text: 'Distribution of Yield among 6 operators' });
    expect(desc?.text).toBe(
      'The middle half is between 10 and 5,000; the median is 60. here: 100.',
    );
  });

  test('draws no axis if all values are 0', () => {
    const svg = draw(undefined, of('yield', 0, 0, 0, 0, 0));
    expect(textsOf(svg)).toEqual(['All values are 0', 'Yield, log scale', 'median 0']);
    expect(shapesOf(svg)[2]?.text).toContain('with value 0: 5.');
  });
});

describe('distributionTable()', () => {
  test('has a row for each bin, and one for zero', () => {
    expect(distributionTable('yield', of('yield', 0, 1, 5, 10, 100))).toEqual({
      head: ['Yield', 'Operators'],
      rows: [
        ['0', '1'],
        ['1 to 3.16', '1'],
        ['3.16 to 10', '1'],
        ['10 to 31.6', '1'],
        ['31.6 to 100', '1'],
      ],
    });
  });
});
