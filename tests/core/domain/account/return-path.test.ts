import { describe, expect, test } from 'vitest';
import { returnPath } from '#core/domain/account/return-path.ts';

describe('returnPath()', () => {
  test.each([
    '/',
    '/settings',
    '/settings/profile?done=saved',
    '/leaderboard/30d/yield?tool=a%20b',
  ])('accepts %s', (path) => {
    expect(returnPath(path)).toBe(path);
  });

  test.each([
    '',
    'settings',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/%2F/evil.example',
    '/%5Cevil.example',
    '/a/..//evil.example',
    '/a//evil.example',
    '/./../evil',
    '/é',
    '/a b',
    '/a#b',
    ' /settings',
    'javascript:alert(1)',
    `/${'a'.repeat(500)}`,
  ])('rejects %j', (path) => {
    expect(returnPath(path)).toBeNull();
  });
});
