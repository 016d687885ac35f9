import { describe, expect, test } from 'vitest';
import { calendarChart } from '../../src/charts/calendar-chart.ts';
import { ofClass, percent, shapesOf, textsOf } from '../support/pages/shapes.ts';

const draw = (days: { date: string; tokens: number }[], from = '2026-03-02', to = '2026-04-12') =>
  calendarChart({ from, to, days, levels: [10, 20, 30] }).svg;

describe('calendarChart()', () => {
  test('has a row for each weekday and a column for each week', () => {
    const svg = draw([
      { date: '2026-03-02', tokens: 1 },
      { date: '2026-03-08', tokens: 1 },
      { date: '2026-03-09', tokens: 1 },
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
    const svg = draw(tokens.map((count, at) => ({ date: `2026-03-0${at + 2}`, tokens: count })));

    expect(ofClass(svg, 'day').map(({ r }) => Number(r))).toEqual([2, 2, 3, 4, 4, 5, 5]);
    expect(Number(ofClass(svg, 'none')[0]?.['r'])).toBeLessThan(2);
  });

  test('names months where they begin, and days when the pointer rests on them', () => {
    const svg = draw([{ date: '2026-03-31', tokens: 1234 }]);

    expect(textsOf(svg)).toEqual(['Apr', 'Mon', 'Wed', 'Fri']);
    expect(shapesOf(svg).map(({ text }) => text)).toContain('31 Mar 2026: 1.23k tokens');
  });

  test('fits half a year', () => {
    const svg = draw([{ date: '2028-12-31', tokens: 1 }], '2028-07-01', '2028-12-31');

    expect(percent(ofClass(svg, 'day')[0]?.['cx'])).toBeLessThan(100);
  });

  test('has a description for screen readers', () => {
    const descOf = (svg: string) => shapesOf(svg)[2]?.text;

    expect(shapesOf(draw([]))[1]?.text).toBe('Tokens by day from 2 Mar 2026 to 12 Apr 2026');
    expect(descOf(draw([]))).toBe('No tokens on these days.');
    expect(
      descOf(
        draw([
          { date: '2026-03-02', tokens: 5 },
          { date: '2026-03-04', tokens: 2000 },
        ]),
      ),
    ).toBe('2 days have tokens, 2.01k together. Most on 4 Mar 2026: 2k.');
  });
});
