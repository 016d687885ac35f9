import { describe, expect, test } from 'vitest';
import { isAmbiguousUrl, isCanonicalUrl } from '#core/domain/account/oauth.ts';

describe('isCanonicalUrl()', () => {
  test.each([
    'https://app.example.org/callback',
    'https://app.example.org',
    'https://app.example.org/',
    'https://app.example.org?from=board',
    'https://app.example.org:8443/a%20b?c=d',
    'http://localhost:1234',
    'http://localhost/callback',
    'http://127.0.0.1:33418/',
    'http://[::1]:33418/callback',
    'cursor://anysphere.cursor-retrieval/oauth/callback',
    'com.example.app:/callback',
  ])('accepts %s', (text) => {
    expect(isCanonicalUrl(text)).toBe(true);
  });

  test.each([
    'https://app.example.org/a b',
    ' https://app.example.org/',
    'https://app.example.org/\n',
    'https://app.example\n.org/',
    'https://app.example.org\\@evil.example/',
    'https:\\\\app.example.org/',
    'https://app.example.org/a\u0000b',
    'https://app.example.org/a\u00a0b',
    'https://App.example.org/',
    'https://app.example.org:443/',
    'https://app.example.org/a/../b',
    'http://127.1/callback',
    'http://2130706433/callback',
    'https:app.example.org/',
    'https:///app.example.org/',
    'callback',
  ])('rejects %j', (text) => {
    expect(isCanonicalUrl(text)).toBe(false);
  });
});

test.each([
  ['https://app.example.org/callback', false],
  ['http://localhost:1/a%20b', false],
  ['http://localhost:1/a b', true],
  ['http://localhost:1/a\tb', true],
  ['http://localhost:1\\@evil.example', true],
  ['http://localhost:1/\u0085', true],
])('isAmbiguousUrl(%j) is %s', (text, expected) => {
  expect(isAmbiguousUrl(text)).toBe(expected);
});
