import { describe, expect, test } from 'vitest';
import { type ReviewSpan, reviewOf, reviewSpan } from '#core/domain/board/review.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import {
  bestTexts,
  noReviewText,
  periodText,
  reviewLead,
  reviewTitle,
} from '#components/operator/review-words.ts';

const span = reviewSpan('2026-03') as ReviewSpan;
const usage = [0, 1, 2, 3].map((at) => ({
  day: dayNumber('2026-03-02') + at,
  input: 1000,
  output: 20_000 + at,
  cache_write: 5000,
  cache_read: 400_000,
}));
const review = reviewOf(usage, span, { active_day_tokens: 10_000 });

test('periodText() and reviewTitle() name years and months', () => {
  expect([periodText('2026'), periodText('2026-03')]).toEqual(['2026', 'March 2026']);
  expect(reviewTitle({ codename: 'ada', span })).toBe('ada in March 2026');
});

describe('reviewLead()', () => {
  test('says so if the period is not over', () => {
    const text = '1.7M tokens on 4 active days, conservative yield 7,999.8';

    expect(reviewLead({ span, review, until: span.last })).toBe(`${text}.`);
    expect(reviewLead({ span, review, until: span.last - 1 })).toBe(`${text} so far.`);
    expect(reviewLead({ span, review: null, until: span.last })).toBe(
      'No signed tokens in March 2026.',
    );
  });

  test('has the measured yield without an interval, and none if it is undefined', () => {
    const one = reviewOf(usage.slice(0, 1), span, { active_day_tokens: 10_000 });
    const blind = reviewOf(
      usage.slice(0, 1).map((day) => ({ ...day, cache_read: null })),
      span,
      { active_day_tokens: 10_000 },
    );

    expect(reviewLead({ span, review: one, until: span.last })).toBe(
      '426k tokens on 1 active day, yield 8,000.00.',
    );
    expect(reviewLead({ span, review: blind, until: span.last })).toBe(
      '26k tokens on 1 active day.',
    );
  });
});

test('bestTexts() names days and weeks', () => {
  expect(review && bestTexts(review.best)).toEqual([
    ['Best day', 'yield 8,001.20, 5 Mar 2026, 426k tokens'],
    ['Best week', 'yield 8,000.60, week of 2 Mar 2026, 1.7M tokens'],
    ['Most tokens, day', '426k tokens, 5 Mar 2026'],
    ['Most tokens, week', '1.7M tokens, week of 2 Mar 2026'],
  ]);
});

test('noReviewText() says what to do', () => {
  const first_day = '2026-03-02';
  const text = (reason: 'before' | 'empty' | 'future' | 'invalid') =>
    noReviewText({ reason, first_day }, 'ada');

  expect(text('invalid')).toContain('/operators/ada/2026-03');
  expect(text('before')).toBe('The first signed counts of ada are from 2 Mar 2026.');
  expect(text('future')).toBe('This time has not begun yet.');
  expect(text('empty')).toBe('ada has no signed counts yet.');
});
