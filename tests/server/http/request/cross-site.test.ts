import { describe, expect, test } from 'vitest';
import { isNavigation, refuseCrossSite } from '#server/http/request/cross-site.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const BASE = 'https://bench.example';
const check = (headers: Record<string, string>) => () =>
  refuseCrossSite(new Headers(headers), BASE);

describe('refuseCrossSite()', () => {
  test.each([
    { 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'none' },
    { 'Sec-Fetch-Site': 'same-origin', Origin: BASE },
    { Origin: BASE },
    {},
  ])('accepts %j', (headers) => {
    expect(check(headers)).not.toThrow();
  });

  test.each([
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': '' },
    { 'Sec-Fetch-Site': 'Same-Origin' },
    { 'Sec-Fetch-Site': 'same-origin, cross-site' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: BASE },
    { Origin: 'null' },
    { Origin: 'https://evil.example' },
    { Origin: 'http://bench.example' },
    { Origin: 'https://bench.example:8443' },
    { Origin: 'https://bench.example.evil.example' },
    { Origin: `${BASE}/` },
    { Origin: '' },
  ])('throws csrf_rejected for %j', (headers) => {
    expect(check(headers)).toThrow(refusal('csrf_rejected'));
  });
});

describe('isNavigation()', () => {
  const isOne = (headers: Record<string, string>) => isNavigation(new Request(BASE, { headers }));

  test.each(['document', 'iframe', 'image', 'script', ''])(
    'is true for a request for %j',
    (dest) => {
      expect(isOne({ 'Sec-Fetch-Dest': dest })).toBe(true);
    },
  );

  test("is false for a script's request, and without the header", () => {
    expect([isOne({ 'Sec-Fetch-Dest': 'empty' }), isOne({})]).toEqual([false, false]);
  });
});
