import { describe, expect, test } from 'vitest';
import { DISABLE_AFTER_MS, MAX_ATTEMPTS, pauseMs } from '#server/webhooks/retry.ts';

const now = new Date('2026-03-10T12:00:00Z');
const none = { retryAfter: null, now, random: 0 };

describe('pauseMs()', () => {
  test('grows fourfold, up to 12 hours', () => {
    const pauses = [1, 2, 3, 7, 8, 13].map((attempts) => pauseMs(attempts, none) / 1000);
    expect(pauses).toEqual([10, 40, 160, 40_960, 43_200, 43_200]);
  });

  test('varies by up to a fifth', () => {
    expect(pauseMs(1, { ...none, random: 1 })).toBe(12_000);
  });

  test.each([
    ['120', 120_000],
    ['Tue, 10 Mar 2026 12:05:00 GMT', 300_000],
    ['99999999', 43_200_000],
    ['5', 10_000],
    ['soon', 10_000],
    ['Tue, 10 Mar 2026 11:00:00 GMT', 10_000],
  ])('respects Retry-After: %s', (retryAfter, ms) => {
    expect(pauseMs(1, { ...none, retryAfter })).toBe(ms);
  });

  test('allows attempts until a webhook is disabled', () => {
    const attempts = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, at) => at + 1);
    const total = attempts.reduce((sum, at) => sum + pauseMs(at, none), 0);
    expect(total).toBeGreaterThan(DISABLE_AFTER_MS);
  });
});
