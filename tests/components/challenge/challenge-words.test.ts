import { describe, expect, test } from 'vitest';
import { challengeStatus, closesAtMs } from '#core/domain/board/challenge.ts';
import { ChallengeStatus } from '#core/schema/challenge.ts';
import { STATUS_ORDER, shortTitle, turningPoint } from '#components/challenge/challenge-words.ts';

const DAYS = { first_day: '2026-03-12', last_day: '2026-03-20' };
const closes_at = new Date(closesAtMs(DAYS)).toISOString();

describe('turningPoint()', () => {
  test.each([
    ['upcoming', 'begins', '2026-03-12T00:00:00.000Z'],
    ['active', 'ends', '2026-03-21T00:00:00.000Z'],
    ['scoring', 'closes', '2026-03-23T00:00:00.000Z'],
    ['complete', 'closed', '2026-03-23T00:00:00.000Z'],
  ] as const)('of %s: %s %s', (status, words, at) => {
    const told = turningPoint({ ...DAYS, status, closes_at, cancelled_at: null });
    expect(told).toEqual({ words, at });
  });

  test.each(['upcoming', 'active', 'scoring'] as const)(
    'is the first instant at which it is not %s any more',
    (status) => {
      const { at } = turningPoint({ ...DAYS, status, closes_at, cancelled_at: null });
      const statusAt = (ms: number) => challengeStatus({ ...DAYS, cancelled_at: null }, ms);
      expect(statusAt(Date.parse(at) - 1)).toBe(status);
      expect(statusAt(Date.parse(at))).not.toBe(status);
    },
  );

  test('of a cancelled one is when it was cancelled', () => {
    const cancelled_at = '2026-03-13T10:00:00.000Z';
    const told = turningPoint({ ...DAYS, status: 'cancelled', closes_at, cancelled_at });
    expect(told).toEqual({ words: 'canceled', at: cancelled_at });
  });
});

test('shortTitle() cuts what is longer than a tab shows, by letters', () => {
  const long = `${'𝕏 '.repeat(40)}`;
  expect(shortTitle('Spring sprint')).toBe('Spring sprint');
  expect(shortTitle('x'.repeat(48))).toBe('x'.repeat(48));
  expect(shortTitle(long)).toBe(`${'𝕏 '.repeat(24).trimEnd()}…`);
});

test('every state is listed once', () => {
  expect([...STATUS_ORDER].sort()).toEqual([...ChallengeStatus.options].sort());
});
