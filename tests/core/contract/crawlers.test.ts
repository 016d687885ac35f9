import { describe, expect, test } from 'vitest';
import { robotsTxt, securityTxt } from '#core/contract/crawlers.ts';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { DAY_MS } from '#core/domain/counting/day.ts';

test('robots.txt allows all public pages and states the permitted uses', () => {
  expect(robotsTxt('https://bench.example.org', ROUTE_TABLE)).toBe(`User-agent: *
Content-Signal: search=yes, ai-input=yes, ai-train=no, use=reference
Allow: /
Disallow: /api/auth/
Disallow: /auth/
Disallow: /dev/
Disallow: /email/
Disallow: /invite/
Disallow: /login
Disallow: /oauth/
Disallow: /settings
Disallow: /setup
Disallow: /where-am-i
Disallow: /witness/

Sitemap: https://bench.example.org/sitemap.xml
`);
});

describe('isPersonal()', () => {
  test.each(['/settings', '/settings/data', '/login', '/login/link', '/auth/callback'])(
    'is true of %s',
    (path) => expect(ROUTE_TABLE.isPersonal(path)).toBe(true),
  );

  test.each(['/', '/methodology', '/operators/auth', '/developers', '/api/v1/leaderboard'])(
    'is false of %s',
    (path) => expect(ROUTE_TABLE.isPersonal(path)).toBe(false),
  );
});

describe('securityTxt()', () => {
  const NOW_MS = Date.parse('2026-11-22T17:03:04.567Z');
  const told = { contact: 'admin@example.org', baseUrl: 'https://bench.example.org' };
  const fieldsAt = (nowMs: number, over: Partial<typeof told> = {}) => {
    const text = securityTxt({ ...told, ...over, nowMs });
    expect(text).toMatch(/^(?:[A-Za-z-]+: \S+\n)+$/);
    return Object.fromEntries(text.split('\n').map((line) => line.split(': ', 2)));
  };

  test('names the contact and its own URL', () => {
    expect(fieldsAt(NOW_MS)).toMatchObject({
      Contact: 'mailto:admin@example.org',
      'Preferred-Languages': 'en',
      Canonical: 'https://bench.example.org/.well-known/security.txt',
    });
    expect(fieldsAt(NOW_MS, { contact: 'a%b+c@example.org' })['Contact']).toBe(
      'mailto:a%25b+c@example.org',
    );
  });

  test('leaves out its own URL without https', () => {
    expect(fieldsAt(NOW_MS, { baseUrl: 'http://localhost:4321' })).not.toHaveProperty('Canonical');
  });

  test('expires within a year and is renewed daily', () => {
    const expiry = (nowMs: number) => Date.parse(fieldsAt(nowMs)['Expires'] ?? '');
    expect(expiry(NOW_MS) - NOW_MS).toBeGreaterThan(90 * DAY_MS);
    expect(expiry(NOW_MS) - NOW_MS).toBeLessThan(365 * DAY_MS);
    expect(expiry(NOW_MS + 1000)).toBe(expiry(NOW_MS));
    expect(expiry(NOW_MS + DAY_MS)).toBe(expiry(NOW_MS) + DAY_MS);
  });
});
