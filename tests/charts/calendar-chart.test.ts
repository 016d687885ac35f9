import { describe, expect, test } from 'vitest';
import {
  calendarChart,
  calendarKey,
  calendarLevels,
  halfYears,
} from '../../src/charts/calendar-chart.ts';
import { ofClass, percent, shapesOf, textsOf } from '../support/pages/shapes.ts';

const draw = (days: { date: string; value: number }[], from = '2026-03-02', to = '2026-04-12') =>
  calendarChart({ measure: 'tokens', from, to, days, levels: [10, 20, 30] }).svg;

describe('calendarChart()', () => {
  test('has a row for each weekday and a column for each week', () => {
    const svg = draw([
      { date: '2026-03-02', value: 1 },
      { date: '2026-03-08', value: 1 },
      { date: '2026-03-09', value: 1 },
    ]);
    const places = ofClass(svg, 'day').map(({ cx, cy }) => [percent(cx), Number(cy)]);
    const [[left, top], [, bottom], [right]] = places as [number, number][] as [
      [number, number],
      [number, number],
      [number, number],
    ];

    expect(places).toEqual([
      [left, top],
      [left, bottom],
      [right, top],
    ]);
    expect(bottom - top).toBe(6 * 13);
    expect(right).toBeGreaterThan(left);
    expect(ofClass(svg, 'none')).toHaveLength(42 - 3);
  });

  test('shows the level by the size of the dot, also where a level begins', () => {
    const tokens = [1, 9, 10, 20, 29, 30, 1000];
    const svg = draw(tokens.map((count, at) => ({ date: `2026-03-0${at + 2}`, value: count })));

    expect(ofClass(svg, 'day').map(({ r }) => Number(r))).toEqual([2, 2, 3, 4, 4, 5, 5]);
    expect(Number(ofClass(svg, 'none')[0]?.['r'])).toBeLessThan(2);
  });

  test('names months where they begin, and days when the pointer rests on them', () => {
    const svg = draw([{ date: '2026-03-31', value: 1234 }]);

    expect(textsOf(svg)).toEqual(['Apr', 'Mon', 'Wed', 'Fri']);
    expect(shapesOf(svg).map(({ text }) => text)).toContain('31 Mar 2026: 1.23k tokens');
  });

  test('fits half a year', () => {
    const svg = draw([{ date: '2028-12-31', value: 1 }], '2028-07-01', '2028-12-31');

    expect(percent(ofClass(svg, 'day')[0]?.['cx'])).toBeLessThan(100);
  });

  test('has a description for screen readers', () => {
    const descOf = (svg: string) => shapesOf(svg)[2]?.text;

    expect(shapesOf(draw([]))[1]?.text).toBe('Tokens by day from 2 Mar 2026 to 12 Apr 2026');
    expect(descOf(draw([]))).toBe('No tokens on these days.');
    expect(
      descOf(
        draw([
          { date: '2026-03-02', value: 5 },
          { date: '2026-03-04', value: 2000 },
        ]),
      ),
    ).toBe('2 days have tokens, 2.01k together. Most on 4 Mar 2026: 2k.');
  });

  test('draws a metric, whose values can be 0 or negative', () => {
    const days = [
      { date: '2026-03-02', value: -0.5 },
      { date: '2026-03-04', value: -0.25 },
      { date: '2026-03-03', value: 0 },
      { date: '2026-03-05', value: 2 },
    ];
    const levels = calendarLevels(days);
    const { svg } = calendarChart({
      measure: 'dev10x',
      from: '2026-03-02',
      to: '2026-03-08',
      days,
      levels,
    });

    expect(ofClass(svg, 'day').map(({ r }) => Number(r))).toEqual([2, 4, 3, 5]);
    const texts = shapesOf(svg).map(({ text }) => text);
    expect(texts).toContain('5 Mar 2026: Dev10x 2.00');
    expect(texts).toContain('4 days have a value. Highest on 5 Mar 2026: 2.00.');
    expect(calendarKey('dev10x', levels)).toContain('less than -0.25, from -0.25, from 0.00, and');
  });
});

describe('calendarLevels()', () => {
  test('are the quartiles, in any order of the days', () => {
    const days = [7, 1, 5, 3, 8, 2, 6, 4].map((value) => ({ date: '2026-03-02', value }));

    expect(calendarLevels(days)).toEqual([3, 5, 7]);
    expect(calendarLevels([])).toEqual([0, 0, 0]);
  });
});

test('halfYears() covers a period without gaps', () => {
  expect(halfYears('2025-11-03', '2026-07-01')).toEqual([
    ['2025-11-03', '2025-12-31'],
    ['2026-01-01', '2026-06-30'],
    ['2026-07-01', '2026-07-01'],
  ]);
  expect(halfYears('2026-03-10', '2026-03-10')).toEqual([['2026-03-10', '2026-03-10']]);
});
