/** The headers that responses have because of their route, whatever produced them. */
import { describe, expect, test } from 'vitest';
import { CONTENT_SIGNAL } from '#core/contract/crawlers.ts';
import type { Route } from '#core/contract/route.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { HOST, anHttpLayer } from '#tests/support/http/http-layer.ts';
import type { Answered } from '#tests/support/http/loopback.ts';

const LIMIT_FIELDS = [
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-policy',
  'ratelimit-remaining',
  'ratelimit-reset',
];

const pathOf = ({ path }: Route) => path.replaceAll(/\{\w+\}/g, 'ada');
const limitFieldsOf = ({ headers }: Answered) =>
  Object.keys(headers)
    .filter((name) => name.startsWith('ratelimit'))
    .sort();

describe('the headers of a route', () => {
  const shared = ROUTES.filter(({ auth, cacheSeconds }) => auth === 'public' && cacheSeconds > 0);
  const others = ROUTES.filter((route) => !shared.includes(route));

  test.each(shared.map((route) => [route.method, pathOf(route), route] as const))(
    'let any page read %s %s',
    async (method, target, { limit }) => {
      const { ask } = await anHttpLayer();

      const { headers } = await ask({
        method,
        target,
        headers: { ...HOST, Origin: 'https://x.test' },
      });

      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        vary: limit === 'public' ? 'Accept-Encoding, X-API-Key' : 'Accept-Encoding',
        'content-signal': CONTENT_SIGNAL,
      });
      expect(
        String(headers['access-control-expose-headers']).toLowerCase().split(', ').sort(),
      ).toEqual([
        'deprecation',
        'etag',
        'link',
        ...LIMIT_FIELDS,
        'retry-after',
        'sunset',
        'www-authenticate',
        'x-request-id',
      ]);
    },
  );

  test.each(shared.map((route) => [pathOf(route)]))(
    'respond to a preflight of %s',
    async (target) => {
      const { ask, visitors } = await anHttpLayer();
      const asked = { Origin: 'https://x.test', 'Access-Control-Request-Method': 'GET' };

      const answer = await ask({ method: 'OPTIONS', target, headers: { ...HOST, ...asked } });

      expect(answer.status).toBe(204);
      expect(answer.headers).toMatchObject({
        allow: 'GET, HEAD, OPTIONS',
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD, OPTIONS',
        'access-control-allow-headers': 'X-API-Key, If-None-Match, MCP-Protocol-Version',
        'access-control-max-age': '86400',
      });
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
      expect(limitFieldsOf(answer)).toEqual([]);
      expect(visitors).toEqual([]);
    },
  );

  test.each(others.map((route) => [route.method, pathOf(route)] as const))(
    'keep other pages from %s %s',
    async (method, target) => {
      const { ask } = await anHttpLayer();
      const headers = { ...HOST, Origin: 'https://x.test' };

      const answers = [
        await ask({ method, target, headers }),
        await ask({ method: 'OPTIONS', target, headers }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([200, 204]);
      expect(answers[1]?.headers['allow']).toContain('OPTIONS');
      expect(answers.flatMap((answer) => Object.keys(answer.headers)).join()).not.toContain(
        'access-control',
      );
      expect(answers[0]?.headers).toMatchObject({ 'cross-origin-resource-policy': 'same-origin' });
      expect(answers[0]?.headers).not.toHaveProperty('content-signal');
    },
  );

  test.each([...ROUTES.map(pathOf), '/api/v1/nothing', '/api', '/.well-known/nothing'])(
    'do not let a browser run anything in %s',
    async (target) => {
      const { ask } = await anHttpLayer({ baseUrl: 'https://bench.example' });

      const { headers } = await ask({ target, headers: HOST });

      expect(headers).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'strict-transport-security': expect.stringMatching(/^max-age=31536000/) as string,
      });
      expect(headers).not.toHaveProperty('permissions-policy');
    },
  );
});

describe('the statement about the use of a page', () => {
  const open = ['/', '/methodology', '/leaderboard/30d/yield?q=ada', '/robots.txt', '/nowhere'];
  const personal = ['/settings', '/settings/data', '/login', '/auth/callback', '/where-am-i'];

  test.each([...open, '/.well-known/security.txt', '/log.ndjson.gz'])(
    'is made at %s',
    async (target) => {
      const { ask } = await anHttpLayer();
      const { headers } = await ask({ target, headers: HOST });
      expect(headers).toMatchObject({ 'content-signal': CONTENT_SIGNAL });
    },
  );

  test.each([...personal, '/oauth/authorize', '/api/v1/nothing'])(
    'is not made at %s',
    async (target) => {
      const { ask } = await anHttpLayer();
      const { headers } = await ask({ target, headers: HOST });
      expect(headers).not.toHaveProperty('content-signal');
    },
  );
});

describe('text and program files', () => {
  const command = [
    ...['/opbench.json', '/opbench.mjs', '/opbench.tgz', '/opbench-1.2.3-rc.1.tgz'],
    ...['/opbench.mcpb', '/opbench-1.2.3-rc.1.mcpb', '/install.sh', '/install.ps1'],
  ];
  const crawled = ['/feed.atom', '/llms.txt', '/robots.txt', '/sitemap.xml', '/sitemap-2.xml'];
  const files = [...command, ...crawled, '/.well-known/security.txt'];

  test.each(files)(
    'can be read by any page: %s, under each host name of the server',
    async (target) => {
      const { ask } = await anHttpLayer();
      const headers = { Host: 'localhost:4321', Origin: 'https://x.test' };

      const answer = await ask({ target, headers });
      const asked = await ask({ method: 'OPTIONS', target, headers });
      const refused = await ask({ method: 'POST', target, headers });

      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        vary: 'Accept-Encoding',
      });
      expect(asked.headers).toMatchObject({ 'access-control-allow-methods': 'GET, HEAD, OPTIONS' });
      expect(refused.status).toBe(405);
      expect(refused.headers['content-type']).toContain('application/problem+json');
    },
  );

  const others = ['/opbench', '/opbench/opbench.mjs', '/opbench-1/x.tgz', '/xopbench.mjs'];
  test.each([...others, '/robots.txt.html', '/a/llms.txt'])(
    'cannot be read: %s',
    async (target) => {
      const { ask } = await anHttpLayer();

      const { headers } = await ask({ target, headers: HOST });

      expect(headers).not.toHaveProperty('access-control-allow-origin');
    },
  );
});
