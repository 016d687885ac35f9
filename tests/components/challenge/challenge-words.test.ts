import { describe, expect, test } from 'vitest';
import { challengeStatus, closesAtMs } from '#core/domain/board/challenge.ts';
import { type Challenge, ChallengeStatus } from '#core/schema/challenge.ts';
import {
  STATUS_ORDER,
  awaitedText,
  shortTitle,
  turningPoint,
} from '#components/challenge/challenge-words.ts';

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
    'is the first instant after %s',
    (status) => {
      const { at } = turningPoint({ ...DAYS, status, closes_at, cancelled_at: null });
      const statusAt = (ms: number) => challengeStatus({ ...DAYS, cancelled_at: null }, ms);
      expect(statusAt(Date.parse(at) - 1)).toBe(status);
      expect(statusAt(Date.parse(at))).not.toBe(status);
    },
  );

  test('of a canceled challenge is the time of the cancellation', () => {
    const cancelled_at = '2026-03-13T10:00:00.000Z';
    const told = turningPoint({ ...DAYS, status: 'cancelled', closes_at, cancelled_at });
    expect(told).toEqual({ words: 'canceled', at: cancelled_at });
  });
});

describe('awaitedText()', () => {
  const challenge = { ...DAYS, eligibility: { active_days: 7 } } as Challenge;

  test('names the first day on which an operator can be ranked', () => {
    expect(awaitedText(challenge, null)).toMatch(/7 active days, on 18 Mar 2026/);
    expect(awaitedText(challenge, '2026-03-18T10:00:00.000Z')).toContain('18 Mar 2026');
  });

  test('names no day that has passed', () => {
    const text = awaitedText(challenge, '2026-03-19T00:00:00.000Z');
    expect(text).toContain('7 active days');
    expect(text).not.toContain('2026');
  });
});

test('shortTitle() shortens long titles between letters', () => {
  const long = `${'𝕏 '.repeat(40)}`;
  expect(shortTitle('Spring sprint')).toBe('Spring sprint');
  expect(shortTitle('x'.repeat(48))).toBe('x'.repeat(48));
  expect(shortTitle(long)).toBe(`${'𝕏 '.repeat(24).trimEnd()}…`);
});

test('every state is listed once', () => {
  expect([...STATUS_ORDER].sort()).toEqual([...ChallengeStatus.options].sort());
});
