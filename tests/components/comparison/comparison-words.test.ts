import { describe, expect, test } from 'vitest';
import type { OperatorStanding } from '#core/schema/operator.ts';
import { faultText, resultTitle, verdictText } from '#components/comparison/comparison-words.ts';

type Ends = [low: number, high: number | null] | null;

const operators = (intervals: Record<string, Ends>) =>
  Object.entries(intervals).map(([codename, interval]) => {
    const of = { interval, conservative: interval?.[0] ?? null };
    const standing = { metrics: { yield: of, velocity: of } };
    return { codename, standing: standing as OperatorStanding };
  });
const verdict = (intervals: Record<string, Ends>) => verdictText('yield', operators(intervals));

describe('verdictText()', () => {
  test('names the operator whose interval is above all others', () => {
    expect(verdict({ ada: [3, 4], bob: [1, 2] })).toBe('ada has the higher yield.');
    expect(verdict({ ada: [1, 2], bob: [3, null] })).toBe('bob has the higher yield.');
    expect(verdict({ ada: [1, 2], bob: [3, 4], cay: [2, 2.5] })).toBe('bob has the highest yield.');
    expect(verdictText('velocity', operators({ ada: [3, 4], bob: [1, 2] }))).toBe(
      'ada has the higher velocity.',
    );
  });

  test.each([
    [
      [1, 3],
      [2, 4],
    ],
    [
      [1, 2],
      [2, 4],
    ],
    [
      [9, 10],
      [1, null],
    ],
  ] as [Ends, Ends][])('finds no difference between %j and %j', (ada, bob) => {
    expect(verdict({ ada, bob })).toContain('overlap, so there is no clear difference');
  });

  test('names only those whose intervals overlap with the best', () => {
    expect(verdict({ ada: [1, 2], bob: [5, 8], cay: [4, 6] })).toBe(
      'The intervals of bob and cay overlap, so there is no clear difference between them.',
    );
  });

  test('says who has no interval, and needs two operators with one', () => {
    expect(verdict({ ada: [3, 4], bob: [1, 2], cay: null })).toBe(
      'ada has the higher yield. cay has no interval.',
    );
    expect(verdict({ ada: [3, 4], bob: null })).toContain('Yield cannot be compared');
    const absent = { codename: 'cay', standing: null };
    expect(verdictText('yield', [absent, ...operators({ ada: [1, 2] })])).toContain('cannot');
  });
});

test('resultTitle() is short enough for a picture', () => {
  expect(resultTitle(operators({ ada: [3, 4], bob: [1, 2] }))).toBe('ada has the higher yield');
  expect(resultTitle(operators({ ada: [1, 4], bob: [1, 2] }))).toBe('No clear difference in yield');
  expect(resultTitle(operators({ ada: null, bob: [1, 2] }))).toBe('ada and bob');
});

test('faultText() says what to change, and nothing before a name was entered', () => {
  expect(faultText({ kind: 'too_few' }, 0)).toBeNull();
  expect(faultText({ kind: 'too_few' }, 1)).toBe('Enter at least 2 different codenames.');
  expect(faultText({ kind: 'too_many' }, 9)).toBe('Enter at most 4 codenames.');
  expect(faultText({ kind: 'no_page', missing: ['x', 'y'] }, 2)).toContain('is called x or y.');
});
