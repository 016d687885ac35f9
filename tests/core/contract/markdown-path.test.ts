import { describe, expect, test } from 'vitest';
import { pageOfMarkdown, markdownPath } from '#core/contract/site-routes.ts';
import { ChallengeId } from '#core/schema/challenge.ts';
import { Codename, UuidV7 } from '#core/schema/scalars.ts';

describe('a page and its Markdown version', () => {
  test.each([
    ['/', '/index.md'],
    ['/?utm=1', '/index.md?utm=1'],
    ['/methodology', '/methodology.md'],
    ['/developers/protocol', '/developers/protocol.md'],
    ['/metrics', '/metrics.md'],
    ['/metrics/yield', '/metrics/yield.md'],
    ['/challenges/may-2026', '/challenges/may-2026.md'],
    ['/problems/not_found', '/problems/not_found.md'],
    ['/operators/ada?window=7d', '/operators/ada.md?window=7d'],
    ['/leaderboard/30d/yield?q=a.md', '/leaderboard/30d/yield.md?q=a.md'],
    ['/submissions', '/submissions.md'],
  ])('map to each other: %s and %s', (page, markdown) => {
    expect(markdownPath(page)).toBe(markdown);
    expect(pageOfMarkdown(markdown)).toBe(page);
  });

  test.each([
    '/login',
    '/settings',
    '/where-am-i',
    '/index',
    '/operators',
    '/leaderboard',
    '/api/v1/log',
    '/dev/mail',
    '/science/x',
    '/metrics/yield.md',
    '/satellite/',
  ])('%s has none', (page) => {
    expect(markdownPath(page)).toBeNull();
  });

  test.each([
    '/.md',
    '/login.md',
    '/settings.md',
    '/metrics/',
    '/science.md.md',
    '/index.md.md',
    '/operators/a.b.md',
    '/science.MD',
    '/x?y=/science.md',
  ])('%s is not a Markdown version', (markdown) => {
    expect(pageOfMarkdown(markdown)).toBeNull();
  });

  test('no parameter of an address can end like a Markdown version', () => {
    const names = [Codename, ChallengeId, UuidV7];
    expect(names.filter((name) => name.safeParse('abc.md').success)).toEqual([]);
  });
});
