import { describe, expect, test } from 'vitest';
import { type HistoryValue, historyLine } from '../../src/charts/history-line.ts';
import { ofClass, percent, pointsOf, shapesOf, textsOf } from '../support/pages/shapes.ts';

/** A point for each day from 1 March. */
const days = (...values: (number | null)[]): HistoryValue[] =>
  values.map((value, day) => ({ date: `2026-03-${String(day + 1).padStart(2, '0')}`, value }));
const draw = (points: HistoryValue[], marks: { date: string; label: string }[] = []) =>
  historyLine({ metric: 'yield', points, marks }).svg;
const lineOf = (svg: string) => ofClass(svg, 'line')[0]?.['d'] ?? '';
const dotsOf = (svg: string) => ofClass(svg, 'points')[0]?.['d'] ?? '';

describe('historyLine()', () => {
  test('places days at equal distances, and equal factors at equal heights', () => {
    const points = pointsOf(lineOf(draw(days(1, 10, 100))));
    expect(points.map(([x]) => x)).toEqual([110, 555, 1_000]);
    const [low, middle, high] = points.map(([, y]) => y) as [number, number, number];
    expect(low - middle).toBe(middle - high);
    expect(high).toBeGreaterThan(0);
    expect(low).toBeLessThan(1_000);
  });

  test('has a gap for a missing value, and a dot for a single one', () => {
    const svg = draw(days(1, 10, null, 100, null, 1, 1));
    expect(
      lineOf(svg)
        .split('M')
        .slice(1)
        .map((run) => run.split('L').length),
    ).toEqual([2, 2]);
    expect(pointsOf(dotsOf(svg))).toHaveLength(5);
  });

  test('draws zero as a separate mark at the bottom of a logarithmic axis', () => {
    const svg = draw(days(10, 0, 100));
    expect(lineOf(svg)).not.toContain('L');
    const [{ cx, cy } = {}] = ofClass(svg, 'zero');
    expect(percent(cx)).toBe(55.5);
    expect(cy).toBe(ofClass(svg, 'base')[0]?.['y1']);
    const linear = historyLine({ metric: 'snr', points: days(0, 0.5) }).svg;
    expect(ofClass(linear, 'zero')).toEqual([]);
    expect(pointsOf(lineOf(linear))).toHaveLength(2);
  });

  test('marks the days of changes within the period', () => {
    const marks = ['2026-02-20', '2026-03-03', '2026-03-04', '2026-04-01'].map((date, index) => {
      return { date, label: `ruleset ${index + 1}` };
    });
    const svg = draw(days(1, 2, 3, 4, 5), marks);
    expect(ofClass(svg, 'mark').map(({ x1 }) => percent(x1))).toEqual([55.5, 77.75]);
    expect(textsOf(svg)).toEqual(expect.arrayContaining(['ruleset 2', 'ruleset 3']));
    expect(textsOf(svg)).not.toContain('ruleset 4');
  });

  test('labels some days, or months in long periods', () => {
    expect(textsOf(draw(days(1, 2, 3, 4, 5, 6, 7)))).toEqual(
      expect.arrayContaining(['Yield, log scale', '1 Mar', '3 Mar', '5 Mar', '7 Mar']),
    );
    const year = [
      { date: '2025-01-06', value: 1 },
      { date: '2026-01-05', value: 2 },
    ];
    expect(textsOf(draw(year))).toEqual(expect.arrayContaining(['Jan 2025', 'Jan 2026']));
  });

  test('places a single point in the middle', () => {
    expect(pointsOf(dotsOf(draw(days(7))))).toEqual([[555, 500]]);
  });

  test('has a note if there are no values', () => {
    expect(textsOf(draw(days(null, null)))).toContain('No values in this period');
    expect(textsOf(draw([]))).toEqual(['Yield, log scale', 'No values in this period']);
    expect(textsOf(draw(days(0, null)))).not.toContain('No values in this period');
  });

  test('has a description for screen readers', () => {
    const svg = draw(days(5, null, 100, 20), [{ date: '2026-03-02', label: 'ruleset 2' }]);
    const [, title, desc] = shapesOf(svg);
    expect(title?.text).toBe('Yield from 1 Mar 2026 to 4 Mar 2026');
    expect(desc?.text).toBe(
      '3 of 4 points have a value: the first 5, the last 20, the lowest 5, the highest 100. ruleset 2 since 2 Mar 2026.',
    );
  });

  test('draws intervals as an area whose lower edge is marked, with gaps', () => {
    const of = (...intervals: (readonly [number, number | null] | null)[]) => {
      return days(...intervals.map(() => 10)).map((day, at) => ({
        ...day,
        interval: intervals[at] ?? null,
      }));
    };
    const svg = draw(of([5, 20], [5, 20], null, [1, null]));
    const [first, second] = (ofClass(svg, 'area')[0]?.['d'] ?? '').split('Z');
    const [low] = ofClass(svg, 'low');

    expect(pointsOf(first ?? '')).toHaveLength(4);
    expect(pointsOf(low?.['d'] ?? '').slice(0, 2)).toEqual(pointsOf(first ?? '').slice(0, 2));
    // Without an upper bound, the area reaches the upper edge.
    expect(pointsOf(second ?? '').map(([, y]) => y)).toContain(0);
    expect(ofClass(draw(days(10, 10)), 'area')).toEqual([]);
    expect(shapesOf(draw(of([5, 20])))[2]?.text).toContain('The last 95% interval is 5 to 20.');
  });

  test('cuts off intervals that would squeeze the values', () => {
    const wide = days(10, 20).map((day) => ({ ...day, interval: [0, 1e12] as const }));
    const places = pointsOf(ofClass(draw(wide), 'area')[0]?.['d'] ?? '').map(([, y]) => y);
    const [first, second] = pointsOf(lineOf(draw(wide))).map(([, y]) => y);

    expect(Math.min(...places)).toBe(0);
    expect(Math.max(...places)).toBe(1000);
    expect((first ?? 0) - (second ?? 0)).toBeGreaterThan(100);
  });

  test('has a title with the value and the interval at each point', () => {
    const [first, second] = days(10, 0, null);
    const svg = draw([{ ...first, interval: [5, null] }, second] as HistoryValue[]);
    const titles = [...svg.matchAll(/<circle[^>]* cy="([\d.]+)" r="6"><title>([^<]+)</g)];
    expect(titles.map(([, , text]) => text)).toEqual([
      '1 Mar 2026: 10, 95% interval 5 or more',
      '2 Mar 2026: 0',
    ]);
    // Zero is at the bottom.
    expect(titles[1]?.[1]).toBe(ofClass(svg, 'base')[0]?.['y1']);
  });

  test('has no dots on long lines, except for single points', () => {
    const long = Array.from({ length: 120 }, (_, at) => ({
      date: new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10),
      value: at === 50 || at === 52 ? null : 10,
    }));

    expect(pointsOf(dotsOf(draw(long)))).toHaveLength(1);
  });
});
