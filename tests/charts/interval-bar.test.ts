import { describe, expect, test } from 'vitest';
import { intervalHead, intervalMark } from '../../src/charts/interval-bar.ts';
import { type Measured, scaleOf } from '../../src/charts/scale.ts';
import { ofClass, percent, shapesOf, textsOf } from '../support/pages/shapes.ts';

const COLUMN = [
  { value: 100, conservative: 10, interval: [10, 1_000] as const },
  { value: 10, conservative: 1, interval: [1, null] as const },
];
const scale = scaleOf('yield', COLUMN);
const rowOf = (measured: Measured) => intervalMark(scale.mark(measured)).svg;

describe('intervalHead()', () => {
  test('labels the ticks of the rows', () => {
    const { svg } = intervalHead(scale);
    expect(textsOf(svg)).toEqual(['1', '10', '100', '1k']);
    expect(ofClass(svg, 'scale-tick').map(({ x1 }) => percent(x1))).toEqual([0, 33.3, 66.7, 100]);
    const [symbol] = shapesOf(svg).filter(({ name }) => name === 'symbol');
    expect(rowOf(COLUMN[0] as never)).toContain(`<use href="#${symbol?.attributes['id']}"/>`);
  });
});

describe('intervalMark()', () => {
  test('draws the interval, the value and the lower bound', () => {
    const svg = rowOf({ value: 100, conservative: 10, interval: [10, 1_000] });
    expect(ofClass(svg, 'bar')).toEqual([expect.objectContaining({ x1: '33.3%', x2: '100%' })]);
    expect(ofClass(svg, 'dot')).toEqual([expect.objectContaining({ cx: '66.7%' })]);
    expect(ofClass(svg, 'low')).toEqual([expect.objectContaining({ x1: '33.3%', x2: '33.3%' })]);
  });

  test('extends an unbounded interval to the edge, and omits what is off the scale', () => {
    expect(
      ofClass(rowOf({ value: 10, conservative: 1, interval: [1, null] }), 'bar')[0]?.['x2'],
    ).toBe('100%');
    const none = intervalMark(scale.mark({ value: null, conservative: null, interval: null })).svg;
    expect(shapesOf(none).map(({ name }) => name)).toEqual(['svg', 'use']);
  });

  test('has an arrow for a value off the scale', () => {
    const [below, above] = [1e-9, 1e12].map((value) =>
      rowOf({ value, conservative: value, interval: [value, value] }),
    );
    expect([below, above].map((svg) => textsOf(svg ?? ''))).toEqual([['\u2190'], ['\u2192']]);
    expect(textsOf(rowOf({ value: 100, conservative: 10, interval: [10, 1_000] }))).toEqual([]);
  });

  test('is hidden from screen readers, which read the numbers next to it', () => {
    expect(shapesOf(rowOf(COLUMN[0] as never))[0]?.attributes['aria-hidden']).toBe('true');
  });
});
