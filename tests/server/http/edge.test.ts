/** What the HTTP layer does before anything is looked up: limits, keys, addresses. */
import { parseList } from 'structured-headers';
import { describe, expect, test } from 'vitest';
import { prepare } from '#server/http/response/prepared-response.ts';
import { readProxies } from '#server/config/config.ts';
import { HOST, anHttpLayer } from '#tests/support/http/http-layer.ts';
import type { Answered } from '#tests/support/http/loopback.ts';

const BOARD = '/api/v1/leaderboard';
const FINISHED = await prepare(Buffer.from('{}'), { 'Content-Type': 'application/json' });
const ETAG = FINISHED.encodings.identity.etag;

const codeOf = ({ bytes }: Answered) => (JSON.parse(bytes.toString()) as { code: string }).code;
const limitFieldsOf = ({ headers }: Answered) =>
  Object.keys(headers)
    .filter((name) => name.startsWith('ratelimit'))
    .sort();

describe('public reads are limited', () => {
  /** One HTTP layer with a prepared board, and responses of every kind to public reads. */
  async function aBoard(publicReads = 1000) {
    return anHttpLayer(
      {
        lookup: (address) => (address === BOARD ? FINISHED : undefined),
        render: async () => new Response('{}', { status: 404 }),
      },
      publicReads,
    );
  }

  test.each([
    [200, 'GET', BOARD, {}],
    [200, 'HEAD', BOARD, {}],
    [304, 'GET', BOARD, { 'If-None-Match': ETAG }],
    [404, 'GET', `${BOARD}?q=ada`, {}],
    [404, 'HEAD', '/api/v1/operators/ada', {}],
    [404, 'GET', '/api/v1/operators/%61da', {}],
    [405, 'POST', BOARD, {}],
    [401, 'GET', BOARD, { 'X-API-Key': 'ob_x_y' }],
  ])('and report the remaining quota on a %i to %s %s', async (status, method, target, more) => {
    const { ask } = await aBoard();

    const answer = await ask({ method, target, headers: { ...HOST, ...more } });

    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'ratelimit-policy': '"public";q=1000;w=60',
      ratelimit: '"public";r=999;t=60',
      'ratelimit-limit': '1000',
      'ratelimit-remaining': '999',
      'ratelimit-reset': '60',
    });
  });

  test('a 304 counts as one, and above the quota the response is an uncacheable 429', async () => {
    const { ask, clock } = await aBoard(2);
    const headers = { ...HOST, 'If-None-Match': ETAG };
    const statuses = [await ask({ target: BOARD, headers }), await ask({ target: BOARD, headers })];
    clock.nowMs += 17_500;

    const refused = await ask({ target: BOARD, headers });

    expect(statuses.map(({ status }) => status)).toEqual([304, 304]);
    expect([refused.status, codeOf(refused)]).toEqual([429, 'quota_exceeded']);
    expect(refused.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'application/problem+json; charset=utf-8',
      'retry-after': '43',
      'ratelimit-policy': '"public";q=2;w=60',
      ratelimit: '"public";r=0;t=43',
      'ratelimit-limit': '2',
      'ratelimit-remaining': '0',
      'ratelimit-reset': '43',
      'access-control-allow-origin': '*',
    });
    clock.nowMs += 42_500;
    expect((await ask({ target: BOARD, headers })).status).toBe(304);
  });

  test('in structured fields: a string with integer parameters', async () => {
    const { ask } = await aBoard();

    const { headers } = await ask({ target: BOARD, headers: HOST });

    expect(parseList(String(headers['ratelimit']))).toEqual([
      [
        'public',
        new Map([
          ['r', 999],
          ['t', 60],
        ]),
      ],
    ]);
    expect(parseList(String(headers['ratelimit-policy']))).toEqual([
      [
        'public',
        new Map([
          ['q', 1000],
          ['w', 60],
        ]),
      ],
    ]);
  });

  test('pages count by another policy with ten times the quota, which the 429 names', async () => {
    const { ask } = await aBoard(1);
    const page = () => ask({ target: '/nowhere', headers: HOST });
    const first = await page();
    await Promise.all(Array.from({ length: 9 }, page));

    const refused = await page();

    expect([first.status, limitFieldsOf(first)]).toEqual([404, []]);
    expect([refused.status, codeOf(refused)]).toEqual([429, 'quota_exceeded']);
    expect(refused.headers).toMatchObject({
      'ratelimit-policy': '"pages";q=10;w=60',
      ratelimit: '"pages";r=0;t=60',
      'retry-after': '60',
    });
    expect((await ask({ target: BOARD, headers: HOST })).status).toBe(200);
  });

  test('OPTIONS requests use no quota', async () => {
    const { ask } = await aBoard(1);
    await ask({ method: 'OPTIONS', target: BOARD, headers: HOST });

    expect((await ask({ target: BOARD, headers: HOST })).status).toBe(200);
  });

  test('by the address that a trusted proxy forwards', async () => {
    const { ask } = await anHttpLayer({ proxies: readProxies('loopback') }, 1);
    const from = (address: string) =>
      ask({ target: BOARD, headers: { ...HOST, 'X-Forwarded-For': address } });

    const answers = [
      await from('203.0.113.1'),
      await from('203.0.113.2'),
      await from('203.0.113.1'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  });

  test('by the socket address for direct clients, whatever they forward', async () => {
    const { ask } = await anHttpLayer({ proxies: readProxies('10.0.0.0/8') }, 1);
    const from = (address: string) =>
      ask({ target: BOARD, headers: { ...HOST, 'X-Forwarded-For': address } });

    expect([(await from('203.0.113.1')).status, (await from('203.0.113.2')).status]).toEqual([
      200, 429,
    ]);
  });
});

describe('an API key', () => {
  const readKey = (text: string) => (text === 'good' ? { id: 'k1', per_minute: 3 } : null);
  const withKey = (key: string) => ({ target: BOARD, headers: { ...HOST, 'X-API-Key': key } });

  test('has its own window, independent of the address', async () => {
    const { ask, visitors } = await anHttpLayer({ readKey }, 1);
    await ask({ target: BOARD, headers: HOST });

    const answers = [await ask(withKey('good')), await ask(withKey('good'))];

    expect(answers.map(({ headers }) => headers['ratelimit'])).toEqual([
      '"key";r=2;t=60',
      '"key";r=1;t=60',
    ]);
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"key";q=3;w=60');
    expect(visitors.map(({ apiKey }) => apiKey?.id)).toEqual([undefined, 'k1', 'k1']);
  });

  test('that is invalid is rejected and counts against the address', async () => {
    const { ask, visitors } = await anHttpLayer({ readKey }, 2);

    const answers = [await ask(withKey('bad')), await ask(withKey('')), await ask(withKey('bad'))];

    expect(answers.map(codeOf)).toEqual(['api_key_invalid', 'api_key_invalid', 'quota_exceeded']);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 429]);
    expect(answers[0]?.headers).toMatchObject({
      'cache-control': 'no-store',
      'www-authenticate': 'Bearer',
      ratelimit: '"public";r=1;t=60',
    });
    expect(visitors).toEqual([]);
  });

  test.each(['/', '/api/v1/me', '/.well-known/opbench-keys.json'])(
    'is ignored on %s',
    async (target) => {
      const { ask, visitors } = await anHttpLayer({ readKey });

      expect((await ask({ ...withKey('bad'), target })).status).toBe(200);
      expect((await ask({ ...withKey('good'), target })).status).toBe(200);
      expect(visitors.map(({ apiKey }) => apiKey)).toEqual([null, null]);
    },
  );

  test('gets the same prepared bytes as everyone, and longer pages computed for it', async () => {
    const finished = await prepare(Buffer.from('finished'), {});
    const { ask } = await anHttpLayer({ readKey, lookup: () => finished });
    const long = { ...withKey('good'), target: `${BOARD}?limit=1000` };

    expect((await ask(withKey('good'))).bytes.toString()).toBe('finished');
    expect((await ask(long)).bytes.toString()).toContain('limit=1000');
    expect((await ask({ target: long.target, headers: HOST })).bytes.toString()).toBe('finished');
  });
});

describe('pages that are computed for each request', () => {
  test.each([
    '/leaderboard/30d/yield?tool=x&q=ada',
    '/operators/ada?with=bob',
    '/compare?with=ada,bob',
  ])('are counted as public reads: %s', async (target) => {
    const { ask } = await anHttpLayer({}, 1);
    const answer = await ask({ target, headers: HOST });
    const refused = await ask({ target, headers: HOST });

    expect(answer.headers).toMatchObject({
      'ratelimit-policy': '"public";q=1;w=60',
      'ratelimit-remaining': '0',
      vary: 'Accept, Accept-Encoding, X-API-Key',
      'content-security-policy': expect.stringContaining("script-src 'self'") as string,
    });
    expect([answer.status, refused.status]).toEqual([200, 429]);
  });

  test.each([
    '/leaderboard/30d/yield',
    '/leaderboard/30d/yield?q=',
    '/leaderboard/30d/yield?q=%20',
    '/leaderboard/30d/yield?with=x&after=q',
    '/operators/ada?with=&q=x',
    '/compare',
    '/methodology?q=x',
  ])('are not %s', async (target) => {
    const { ask } = await anHttpLayer();

    expect(limitFieldsOf(await ask({ target, headers: HOST }))).toEqual([]);
  });
});

describe('a resource has one address', () => {
  test.each([
    ['/operators/ada.html?x=1', '/operators/ada?x=1'],
    ['/leaderboard/7d/yield.html', '/leaderboard/7d/yield'],
    ['/.html', '/'],
    ['/index.html', '/'],
    ['/metrics/index.html?x=1', '/metrics?x=1'],
    ['/satellite/index.html?x=1', '/satellite/?x=1'],
    ['/satellite.html', '/satellite/'],
    ['/open-graph.png.html', '/open-graph.png'],
  ])('so that %s redirects to %s', async (target, location) => {
    const { ask } = await anHttpLayer();
    const { status, headers } = await ask({ target, headers: HOST });

    expect([status, headers['location']]).toEqual([308, location]);
  });

  test('and neither the API nor a form exists at another address', async () => {
    const { ask, visitors } = await anHttpLayer();

    const { status } = await ask({ target: '/api/v1/leaderboard.html', headers: HOST });
    const sent = await ask({ method: 'POST', target: '/settings.html', headers: HOST });
    expect([status, sent.status, visitors]).toEqual([404, 405, []]);
  });

  test.each([
    '/api/v1/leaderboard/',
    '/api//v1/leaderboard',
    '/api/v1/./leaderboard',
    '/api/v1/leader%62oard',
    '/api/v1%2fleaderboard',
    '/api/v1/leaderboard%',
    '/api/v1/leaderboard#x',
    '/api/',
    '/.well-known/opbench-keys.json/',
    '/.well-known/nothing',
    '/api/v1/nothing',
    '/api',
  ])('%s of the API is a problem', async (target) => {
    const { ask, visitors } = await anHttpLayer();

    const answer = await ask({ target, headers: HOST });

    expect([answer.status, codeOf(answer)]).toEqual([404, 'not_found']);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(visitors).toEqual([]);
  });

  test.each([
    ['GET', '/login/?a=b', 308, '/login?a=b'],
    ['HEAD', '/leaderboard//30d/yield', 308, '/leaderboard/30d/yield'],
    ['POST', '/settings/', 404, undefined],
    ['GET', '/login%2f', 404, undefined],
    ['GET', '//evil.example/', 404, undefined],
  ])('%s %s of a page is %i', async (method, target, status, location) => {
    const { ask, visitors } = await anHttpLayer();

    const answer = await ask({ method, target, headers: HOST });

    expect([answer.status, answer.headers.location]).toEqual([status, location]);
    expect(visitors).toEqual([]);
  });

  test('may be requested with its host in the target', async () => {
    const { ask } = await anHttpLayer();

    const { bytes } = await ask({ target: `http://127.0.0.1:4321${BOARD}?q=a`, headers: HOST });

    expect(JSON.parse(bytes.toString())).toMatchObject({
      url: `http://127.0.0.1:4321${BOARD}?q=a`,
    });
  });
});
