import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayName, dayNumber, utcDay, weekName } from '#core/domain/counting/day.ts';
import { WINDOWS, firstDayOf } from '#core/domain/metrics/window.ts';

describe('utcDay()', () => {
  test.each([
    [0, '1970-01-01'],
    [-1, '1969-12-31'],
    [Date.UTC(2024, 1, 29, 23, 59, 59, 999), '2024-02-29'],
    [Date.UTC(2024, 2, 1), '2024-03-01'],
  ])('names the day of %d', (timestampMs, day) => {
    expect(utcDay(timestampMs)).toBe(day);
  });
});

describe('dayNumber()', () => {
  test('is the inverse of dayName()', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000, max: 100_000 }), (number) => {
        expect(dayNumber(dayName(number))).toBe(number);
      }),
    );
  });
});

describe('firstDayOf()', () => {
  test('includes the last day', () => {
    expect(WINDOWS.map((window) => firstDayOf(window, 100))).toEqual([94, 71, 11, -Infinity]);
  });
});

describe('weekName()', () => {
  test.each([
    ['2026-03-09', '2026-W11'],
    ['2026-03-15', '2026-W11'],
    ['2026-03-16', '2026-W12'],
    ['2024-12-29', '2024-W52'],
    ['2024-12-30', '2025-W01'],
    ['2026-12-31', '2026-W53'],
    ['2027-01-03', '2026-W53'],
    ['2027-01-04', '2027-W01'],
  ])('%s is in %s', (day, week) => {
    expect(weekName(dayNumber(day))).toBe(week);
  });
});
