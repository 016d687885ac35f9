import { describe, expect, test } from 'vitest';
import { type Spread, spreadOf } from '#core/domain/metrics/spread.ts';
import { scatter } from '../../src/charts/scatter.ts';
import { spreadTable } from '../../src/charts/tables.ts';
import { ofClass, percent, pointsOf, shapesOf, textsOf } from '../support/pages/shapes.ts';

const of = (pairs: readonly (readonly [number, number])[]) =>
  spreadOf(
    Float64Array.from(pairs, ([leverage]) => leverage),
    Float64Array.from(pairs, ([, velocity]) => velocity),
  ) as Spread;
const FIELD = of([
  [1, 100],
  [10, 10],
  [100, 1],
  [100, 1],
  [1_000, 0.1],
]);
const draw = (spread = FIELD, here?: { leverage: number; velocity: number; label: string }) =>
  scatter({ spread, here }).svg;
const paths = (svg: string) => shapesOf(svg).filter(({ name }) => name === 'path');
const dotsOf = (svg: string) => paths(svg).flatMap(({ attributes }) => pointsOf(attributes['d']));
/** The vertical position of a step of the stretched square. */
const downOf = (y: number) => 46 + (y / 1_000) * (380 - 46);
/** The coordinates of a line's ends. */
const ends = ({ x1, y1, x2, y2 }: Readonly<Record<string, string>>) =>
  [percent(x1), Number(y1), percent(x2), Number(y2)] as const;

describe('scatter()', () => {
  test('has leverage on the horizontal and velocity on the vertical axis, both logarithmic', () => {
    const dots = dotsOf(draw()).toSorted(([a], [b]) => a - b);
    const steps = (axis: 0 | 1) =>
      dots.slice(1).map((dot, index) => Math.abs(dot[axis] - (dots[index]?.[axis] ?? 0)));
    expect(dots).toHaveLength(4);
    expect(Math.max(...steps(0)) - Math.min(...steps(0))).toBeLessThanOrEqual(1);
    expect(Math.max(...steps(1)) - Math.min(...steps(1))).toBeLessThanOrEqual(1);
    expect(dots.map(([, y]) => y)).toEqual(dots.map(([, y]) => y).toSorted((a, b) => a - b));
  });

  test('draws a larger mark for more operators', () => {
    const widths = paths(draw()).map(({ attributes }) => Number(attributes['stroke-width']));
    expect(widths.toSorted((a, b) => a - b)).toEqual([7, 10]);
  });

  test('draws the medians as lines with their values', () => {
    const [upright, level] = ofClass(draw(), 'median').map(ends);
    expect(upright?.[0]).toBe(upright?.[2]);
    expect(level?.[1]).toBe(level?.[3]);
    expect(textsOf(draw())).toEqual(expect.arrayContaining(['median 100', 'median 1']));
  });

  test('has lines of equal yield through operators with that yield', () => {
    const svg = draw();
    expect(textsOf(svg)).toContain('yield 100');
    const distances = ofClass(svg, 'diagonal').map((line) => {
      const [x1, y1, x2, y2] = ends(line);
      const off = dotsOf(svg).map(
        ([x, y]) => y1 + ((x / 10 - x1) / (x2 - x1)) * (y2 - y1) - downOf(y),
      );
      return Math.max(...off.map(Math.abs));
    });
    expect(distances.length).toBeGreaterThan(2);
    expect(Math.min(...distances)).toBeLessThan(1);
  });

  test('marks an operator whose values are on the axes', () => {
    const here = { leverage: 10, velocity: 10, label: 'here' };
    const [circle] = shapesOf(draw(FIELD, here)).filter(({ name }) => name === 'circle');
    const [, [x, y] = [0, 0]] = dotsOf(draw()).toSorted(([a], [b]) => a - b);
    expect(percent(circle?.attributes['cx'])).toBeCloseTo(x / 10, 0);
    expect(Number(circle?.attributes['cy'])).toBeCloseTo(downOf(y), 0);
    expect(ofClass(draw(FIELD, { ...here, velocity: 0 }), 'here')).toEqual([]);
  });

  test('stays small with many operators', () => {
    const lots = Array.from({ length: 10_000 }, (_, at) => {
      return [10 ** ((at % 97) / 30), 10 ** ((at % 89) / 40)] as const;
    });
    expect(draw(of(lots)).length).toBeLessThan(15_000);
  });

  test('draws no axes without values', () => {
    const svg = draw(of(Array.from({ length: 5 }, () => [0, 3] as const)));
    expect(dotsOf(svg)).toEqual([]);
    expect(ofClass(svg, 'diagonal')).toEqual([]);
    expect(shapesOf(svg)[2]?.text).toContain('with a value of 0: 5.');
  });
});

describe('spreadTable()', () => {
  test('counts the operators of each power of ten', () => {
    expect(spreadTable({ ...FIELD, zeros: 2 })).toEqual({
      head: ['Leverage', 'Velocity', 'Operators'],
      rows: [
        ['0 of either', '', '2'],
        ['1 to 10', '100 to 1k', '1'],
        ['10 to 100', '10 to 100', '1'],
        ['100 to 1k', '1 to 10', '2'],
        ['1k to 10k', '0.1 to 1', '1'],
      ],
    });
  });
});
