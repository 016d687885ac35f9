import { describe, expect, test } from 'vitest';
import {
  type RepeatRule,
  eligibilityIn,
  nextPeriod,
  repeatFaults,
} from '#core/domain/board/challenge-series.ts';

/** The periods that follow the first one, each on the day after the one before. */
function periods(rule: RepeatRule, first_day: string, last_day: string, count: number): string[] {
  const series = { rule, first_day, last_day };
  let newest = { first_day, last_day };
  return Array.from({ length: count }, () => {
    newest = nextPeriod(series, newest, newest.last_day);
    return `${newest.first_day} ${newest.last_day}`;
  });
}

describe('nextPeriod()', () => {
  test.each([
    ['weekly', '2026-12-21', '2026-12-27', ['2026-12-28 2027-01-03', '2027-01-04 2027-01-10']],
    // Whole months stay whole months.
    [
      'monthly',
      '2027-01-01',
      '2027-01-31',
      ['2027-02-01 2027-02-28', '2027-03-01 2027-03-31', '2027-04-01 2027-04-30'],
    ],
    ['monthly', '2028-02-01', '2028-02-29', ['2028-03-01 2028-03-31', '2028-04-01 2028-04-30']],
    // A day that a month does not have is its last one, and comes back in the next.
    [
      'monthly',
      '2027-01-31',
      '2027-02-27',
      ['2027-02-28 2027-03-27', '2027-03-31 2027-04-27', '2027-04-30 2027-05-27'],
    ],
    ['monthly', '2027-12-10', '2027-12-20', ['2028-01-10 2028-01-20', '2028-02-10 2028-02-20']],
  ] as const)('%s from %s to %s', (rule, first, last, expected) => {
    expect(periods(rule, first, last, expected.length)).toEqual(expected);
  });

  test('never overlaps, whatever the first days are', () => {
    const faults = [];
    for (let start = 0; start < 62; start += 1) {
      for (let length = 2; length <= 31; length += 1) {
        const dayAt = (at: number) =>
          new Date(Date.UTC(2026, 11, 1 + at)).toISOString().slice(0, 10);
        const days = { first_day: dayAt(start), last_day: dayAt(start + length - 1) };
        if (repeatFaults({ rule: 'monthly', ...days }).length > 0) continue;
        let newest = days;
        for (let at = 0; at < 14; at += 1) {
          const next = nextPeriod({ rule: 'monthly', ...days }, newest, newest.last_day);
          const isOrdered = next.first_day > newest.last_day && next.last_day > next.first_day;
          if (!isOrdered) faults.push([days, newest, next]);
          newest = next;
        }
      }
    }
    expect(faults).toEqual([]);
  });

  test('leaves out periods that are over, and returns one that still runs', () => {
    const days = { first_day: '2027-01-04', last_day: '2027-01-10' };
    const after = (today: string) => nextPeriod({ rule: 'weekly', ...days }, days, today).first_day;

    expect(['2027-01-11', '2027-01-17', '2027-01-18', '2027-03-03'].map(after)).toEqual([
      '2027-01-11',
      '2027-01-11',
      '2027-01-18',
      '2027-03-01',
    ]);
  });
});

describe('repeatFaults()', () => {
  test.each([
    ['weekly', '2027-01-04', '2027-01-10', 0],
    ['weekly', '2027-01-04', '2027-01-11', 1],
    ['monthly', '2027-01-01', '2027-01-31', 0],
    ['monthly', '2027-01-01', '2027-02-01', 1],
    ['monthly', '2027-01-31', '2027-02-28', 1],
  ] as const)('%s from %s to %s has %i', (rule, first_day, last_day, count) => {
    expect(repeatFaults({ rule, first_day, last_day })).toHaveLength(count);
  });
});

describe('eligibilityIn()', () => {
  test('lowers requirements that a shorter period cannot meet', () => {
    const tokens = { active_day_tokens: 1, total_tokens: 1, output_tokens: 1 };
    const asked = { ...tokens, coverage: 1, stated_days: 0.9 };
    const eligibility = { ...asked, active_days: 31, effective_days: 30 };
    const february = { first_day: '2027-02-01', last_day: '2027-02-28' };

    expect(eligibilityIn(eligibility, february)).toEqual({
      ...asked,
      active_days: 28,
      effective_days: 27,
    });
  });
});
