import { describe, expect, test } from 'vitest';
import { challengeStatus, closesAtMs } from '#core/domain/board/challenge.ts';
import { type Challenge, ChallengeStatus } from '#core/schema/challenge.ts';
import {
  STATUS_ORDER,
  awaitedText,
  countdownText,
  podiumOf,
  resultText,
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

describe('countdownText()', () => {
  const text = (status: ChallengeStatus, today: string) =>
    countdownText({ ...DAYS, status, closes_at, cancelled_at: null }, today);

  test('counts the days until the next change of the status, from the first to the last', () => {
    expect(text('upcoming', '2026-03-02')).toBe('begins in 10 days');
    expect(text('upcoming', '2026-03-11')).toBe('begins at midnight UTC');
    expect(text('active', '2026-03-12')).toBe('ends in 9 days');
    expect(text('active', '2026-03-20')).toBe('ends at midnight UTC');
    expect(text('scoring', '2026-03-21')).toBe('closes in 2 days');
    expect(text('scoring', '2026-03-22')).toBe('closes at midnight UTC');
  });

  test('is null when no change is left', () => {
    expect(text('complete', '2026-03-23')).toBeNull();
    const cancelled = { ...DAYS, closes_at, cancelled_at: '2026-03-11T10:00:00.000Z' };
    expect(countdownText({ ...cancelled, status: 'cancelled' }, '2026-03-11')).toBeNull();
  });
});

describe('resultText()', () => {
  const places = (...names: (string | null)[]) =>
    names.map((codename, at) => ({ codename, rank: at + 1 }));

  test('names the podium, and all who share the first rank', () => {
    expect(resultText(places('ada', 'bob', 'cay', 'dan'))).toBe('ada won, ahead of bob and cay.');
    expect(resultText(places('ada'))).toBe('ada won.');
    const shared = places('ada', 'bob', 'cay').map((one, at) => ({ ...one, rank: at < 2 ? 1 : 3 }));
    expect(resultText(shared)).toBe('ada and bob won, ahead of cay.');
  });

  test('is null if nobody with the first rank is public', () => {
    expect(resultText([])).toBeNull();
    expect(resultText(places(null, 'bob'))).toBeNull();
    expect(resultText(places('ada', null, 'cay'))).toBe('ada won, ahead of cay.');
  });
});

test('podiumOf() keeps empty places, unless all of them are', () => {
  const podium = podiumOf([
    { codename: 'ada' },
    { codename: null },
    { codename: 'c' },
    { codename: 'd' },
  ]);
  expect(podium.map(({ codename }) => codename)).toEqual(['ada', null, 'c']);
  expect(podiumOf([{ codename: null }])).toEqual([]);
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
