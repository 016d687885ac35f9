import { describe, expect, test } from 'vitest';
import { DEFAULT_COLOURS } from '#core/domain/board/colours.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import { type YearCard, yearCard } from '../../src/charts/year-card.ts';
import { drawn } from '../support/pages/drawn.ts';

const first = dayNumber('2028-01-01');
const last = dayNumber('2028-12-31');
const EVERY_DAY = Array.from({ length: last - first + 1 }, (_, at) => ({
  date: dayName(first + at),
  value: at,
}));

const draw = (over: Partial<YearCard> = {}) =>
  yearCard(
    {
      board: 'Opbench',
      title: 'ada in 2028',
      rank: 'Rank 7',
      tier: 'cataract',
      facts: [
        ['123.45G', 'tokens'],
        ['366', 'active days'],
        ['1,234,000', 'conservative yield'],
        ['Cataract', 'class'],
      ],
      first,
      last,
      days: EVERY_DAY,
      address: 'bench.example.org/operators/ada/2028',
      day: '31 Dec 2028',
      ...over,
    },
    DEFAULT_COLOURS.light,
  ).svg;

describe('yearCard()', () => {
  test('is 1200 by 630 with empty margins, in a leap year that begins on a Saturday', async () => {
    const picture = await drawn(draw());

    expect([picture.width, picture.height]).toEqual([1200, 630]);
    for (const [left, right] of [
      [0, 70],
      [1130, 1200],
    ] as const) {
      expect(picture.colours({ left, right, bottom: 550 })).toBe(1);
    }
    expect(picture.colours({ top: 542, bottom: 556 })).toBe(1);
    expect(picture.colours({ top: 210, bottom: 310 })).toBeGreaterThan(5);
  });

  test('has a dot for each day until the last one', () => {
    const dots = (svg: string) => svg.match(/<circle /g)?.length;

    expect(dots(draw())).toBe(366);
    expect(dots(draw({ last: first + 9, days: [] }))).toBe(10);
  });

  test('is valid without a class or a yield, and escapes names', () => {
    const svg = draw({ title: '<b> in 2028', tier: 'unclassed', facts: [['1', 'tokens']] });

    expect(svg).not.toMatch(/NaN|Infinity|undefined|<b>/);
  });
});
