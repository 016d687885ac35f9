/** What pages of other sites may request with a token: only the companion site, and only peers. */
import { describe, expect, test } from 'vitest';
import { getPeers } from '#core/contract/peers.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { HOST, anHttpLayer } from '#tests/support/http/http-layer.ts';
import type { Answered } from '#tests/support/http/loopback.ts';

const ORIGIN = 'https://peers.example.org';
const ORIGINS = { mcp: ['https://agent.example'], satellite: [ORIGIN] };
const PEERS = getPeers.path;
const WITH_TOKEN = { ...HOST, Origin: ORIGIN, Authorization: 'Bearer x' };
const PREFLIGHT = {
  ...HOST,
  Origin: ORIGIN,
  'Access-Control-Request-Method': 'GET',
  'Access-Control-Request-Headers': 'authorization',
};

const allowed = ({ headers }: Answered) => headers['access-control-allow-origin'];
const sendable = ({ headers }: Answered) =>
  String(headers['access-control-allow-headers'] ?? '').toLowerCase();

describe('pages of the companion site', () => {
  test('read peers and the rate limit', async () => {
    const { ask } = await anHttpLayer({ origins: ORIGINS });

    const answer = await ask({ target: PEERS, headers: WITH_TOKEN });
    const preflight = await ask({ method: 'OPTIONS', target: PEERS, headers: PREFLIGHT });

    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-expose-headers': expect.stringContaining('Retry-After') as string,
      vary: expect.stringContaining('Origin') as string,
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      vary: expect.stringContaining('Origin') as string,
    });
    expect(sendable(preflight)).toContain('authorization');
    for (const { headers } of [answer, preflight]) {
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  test('read every error', async () => {
    const challenge = { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } };
    const { ask } = await anHttpLayer(
      { origins: ORIGINS, render: async () => new Response('{}', challenge) },
      1,
    );
    const headers = WITH_TOKEN;

    const refused = await ask({ target: PEERS, headers });
    const limited = await ask({ target: PEERS, headers });
    const open = await anHttpLayer({ origins: ORIGINS });
    const posted = await open.ask({ method: 'POST', target: PEERS, headers });

    expect([refused, limited, posted].map(({ status }) => status)).toEqual([401, 429, 405]);
    expect([refused, limited, posted].map(allowed)).toEqual([ORIGIN, ORIGIN, ORIGIN]);
    expect([refused, limited, posted].map(({ headers: { vary } }) => vary)).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining('Origin') as string),
    );
  });

  test.each(ROUTES.filter(({ path }) => path !== PEERS).map(({ method, path }) => [method, path]))(
    'must not send a token to %s %s',
    async (method, path) => {
      const { ask } = await anHttpLayer({ origins: ORIGINS });
      const target = path.replaceAll(/\{\w+\}/g, 'ada');

      const answers = [
        await ask({ method, target, headers: WITH_TOKEN }),
        await ask({ method: 'OPTIONS', target, headers: PREFLIGHT }),
      ];

      expect(answers.map(allowed)).not.toContain(ORIGIN);
      expect(answers.map(sendable).join()).not.toContain('authorization');
    },
  );

  test.each(['/oauth/token', '/oauth/register', '/oauth/revoke', '/api/mcp'])(
    'must not send a token to %s either, which is public or not for apps',
    async (target) => {
      const { ask } = await anHttpLayer({ origins: ORIGINS });

      const preflight = await ask({ method: 'OPTIONS', target, headers: PREFLIGHT });

      expect(allowed(preflight)).not.toBe(ORIGIN);
      expect(sendable(preflight)).not.toContain('authorization');
    },
  );
});

describe('pages of any other site', () => {
  const others = [
    'https://evil.example',
    'https://agent.example',
    'http://peers.example.org',
    'https://peers.example.org:8443',
    'https://peers.example.org.evil.example',
    `${ORIGIN}/`,
    'null',
  ];

  test.each(others)('from %s cannot read peers', async (origin) => {
    const { ask } = await anHttpLayer({ origins: ORIGINS });

    const answers = [
      await ask({ target: PEERS, headers: { ...WITH_TOKEN, Origin: origin } }),
      await ask({ method: 'OPTIONS', target: PEERS, headers: { ...PREFLIGHT, Origin: origin } }),
    ];

    for (const { headers } of answers) {
      expect(Object.keys(headers).join()).not.toContain('access-control');
      expect(headers['vary']).toContain('Origin');
    }
  });

  test('cannot read peers if no companion site is configured', async () => {
    const { ask } = await anHttpLayer();

    const answer = await ask({ target: PEERS, headers: WITH_TOKEN });

    expect(allowed(answer)).toBeUndefined();
  });
});
