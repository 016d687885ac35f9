import { describe, expect, test } from 'vitest';
import { FINISHED_ADDRESSES, finishedAddress, isMemorable } from '#server/publication/addresses.ts';

describe('FINISHED_ADDRESSES', () => {
  test('hold every board as a page and as JSON, each once', () => {
    expect(FINISHED_ADDRESSES).toContain('/leaderboard/all_time/dev10x');
    expect(FINISHED_ADDRESSES).toEqual(expect.arrayContaining(['/methodology', '/science']));
    expect(FINISHED_ADDRESSES).toContain('/api/v1/leaderboard');
    expect(FINISHED_ADDRESSES).toContain('/api/v1/leaderboard?window=7d&metric=snr');
    expect(new Set(FINISHED_ADDRESSES).size).toBe(FINISHED_ADDRESSES.length);
  });
});

describe('finishedAddress()', () => {
  test.each([
    ['/?utm_source=x', '/'],
    ['/developers?x', '/developers'],
    ['/science?x', '/science'],
    ['/methodology?x', '/methodology'],
    ['/leaderboard/7d/yield?x=1', '/leaderboard/7d/yield'],
    ['/leaderboard/7d/yield?x=1&after=1.50.2&y', '/leaderboard/7d/yield?after=1.50.2'],
    ['/api/v1/leaderboard?x=1', '/api/v1/leaderboard?x=1'],
    ['/openapi.json?x=1', '/openapi.json?x=1'],
    ['/login/link?token=x', '/login/link?token=x'],
  ])('of %s is %s', (target, address) => {
    expect(finishedAddress(target)).toBe(address);
  });
});

describe('isMemorable()', () => {
  test.each([
    '/leaderboard/30d/yield?after=x',
    '/api/v1/leaderboard?tool=codex&q=ada',
    '/api/v1/metrics/leaders',
    '/api/v1/metrics/leaders?window=7d',
    '/api/v1/operators/ada',
    '/api/v1/operators/ada?as_of=2026-03-01',
    '/api/v1/operators/ada/peers?limit=20',
  ])('is true for %s, which is read from a publication', (address) => {
    expect(isMemorable(address)).toBe(true);
  });

  test.each([
    '/settings',
    '/api/v1/me',
    '/api/v1/peers',
    '/api/v1/leaderboards',
    '/api/v1/operators/ada/history',
    '/api/v1/operators/ada/records?limit=1',
    '/api/v1/operators/ada/keys',
    '/x/api/v1/leaderboard',
  ])('is false for %s', (address) => {
    expect(isMemorable(address)).toBe(false);
  });
});
