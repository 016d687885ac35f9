/** Every address of a board, read with every kind of credential, on a public board and on one for members. */
import { describe, expect, test } from 'vitest';
import { ROUTES } from '#core/contract/routes.ts';
import { SITE_ROUTES } from '#core/contract/site-routes.ts';
import { type FullBoard, aFullBoard } from '#tests/support/http/contract-board.ts';
import { signInAsMcpClient } from '#tests/support/mcp/mcp-sign-in.ts';
import { Visitor } from '#tests/support/http/visitor.ts';

/** Who can read an address on a board for members. `own`: the address checks its caller on every board. */
type Readers = 'anyone' | 'members' | 'own';

/** Every page and file. A new one needs an entry. */
const PAGES: Record<Readers, readonly string[]> = {
  members: [
    '/',
    '/leaderboard/{window}/{metric}',
    '/operators/{codename}',
    '/compare',
    '/operators/{codename}/{period}',
    '/challenges',
    '/challenges/{id}',
    '/hall-of-signal',
    '/hall-of-signal/{metric}',
    '/classes',
    '/tv',
    '/submissions',
    '/submissions/{id}',
    '/methodology',
    ...['counting', 'logs', 'metrics', 'ranking', 'rules'].map((page) => `/methodology/${page}`),
    '/science',
    ...['intervals', 'errors', 'checks', 'signatures'].map((page) => `/science/${page}`),
    '/transparency',
    '/metrics',
    '/metrics/{metric}',
    '/docs',
    '/docs/search',
    '/docs/{section}',
    '/docs/{section}/{page}',
    '/developers',
    ...['limits', 'mcp', 'types', 'protocol', '{group}'].map((page) => `/developers/${page}`),
    ...['protocol.json', 'vectors.json'].map((file) => `/developers/${file}`),
    '/log.ndjson.gz',
    '/log/boards.ndjson.gz',
    '/log/checkpoint',
    '/log/tile/{path*}',
    '/log/payload/{path*}',
    ...['checkpoint', 'tile/{path*}', 'payload/{path*}'].map((path) => `/log/{generation}/${path}`),
    '/problems',
    '/problems/{code}',
    '/privacy',
    ...['device', 'visits', 'board'].map((page) => `/privacy/${page}`),
    '/challenges/{id}.ics',
    '/challenges/{id}.atom',
    '/feed.atom',
    '/operators/{codename}/feed.atom',
    '/sitemap.xml',
    '/sitemap-{part}.xml',
    '/llms.txt',
    '/api/mcp',
    '/avatars/{hash}.webp',
    '/badge/{codename}.svg',
    '/shields/{codename}.json',
    '/oembed',
    '/embed/board',
    '/cards/{codename}.png',
    '/cards/compare/{names}.png',
    '/cards/{codename}/{year}.png',
    '/cards/challenges/{id}.png',
    '/cards/records/{metric}.png',
    '/open-graph.png',
  ],
  own: [
    '/admin',
    ...[
      'announcement',
      'audit',
      'challenges',
      'challenges/{id}',
      'decisions',
      'health',
      'invitations',
      'keys',
      'messages',
      'messages/{id}',
      'operators',
      'operators/{codename}',
      'webhooks',
    ].map((page) => `/admin/${page}`),
    '/where-am-i',
    '/where-am-i/row',
    '/settings',
    ...[
      'applications',
      'data',
      'email',
      'passkey',
      'privacy',
      'profile',
      'sign-in',
      'submissions',
    ].map((page) => `/settings/${page}`),
  ],
  anyone: [
    '/satellite/',
    '/satellite/{file}',
    '/robots.txt',
    '/.well-known/security.txt',
    ...['json', 'mjs', 'tgz', 'mcpb'].map((end) => `/opbench.${end}`),
    '/opbench-{version}.tgz',
    '/opbench-{version}.mcpb',
    '/install.sh',
    '/install.ps1',
    '/witness/add-checkpoint',
    '/healthz',
    '/readyz',
    '/email/confirm',
    '/email/unsubscribe',
    '/invite/{token}',
    '/setup',
    '/login',
    '/login/interaction/{uid}/passkey',
    ...['link', 'mail', 'mail/link', '{site}/callback'].map((step) => `/login/${step}`),
    ...['', '/mail', '/{site}'].map((step) => `/login/interaction/{uid}${step}`),
    '/auth/callback',
    '/dev/mail',
    ...['authorize', 'authorize/{uid}', 'register', 'revoke', 'token'].map(
      (step) => `/oauth/${step}`,
    ),
    '/settings/deleted',
    '/board/logo-{version}',
    '/board/{file}',
    '/board.png',
    '/_astro/{file}',
    '/favicon.ico',
    '/icon.svg',
    '/apple-touch-icon.png',
    '/site.webmanifest',
  ],
};

/** The public operations that are part of a sign-in. All other public operations are for members. */
const OPEN_OPERATIONS = [
  'getSession',
  'getProtectedResource',
  'getMcpProtectedResource',
  'getAuthorizationServer',
  'getOpenidConfiguration',
  'getProviderKeys',
];

const CREDENTIALS = ['none', 'session', 'device token', 'access token', 'API key'] as const;
type Credential = (typeof CREDENTIALS)[number];

interface Asked {
  name: string;
  path: string;
  readers: Readers;
  isMcp: boolean;
}

/** An example of each address. */
function addresses(board: FullBoard): Asked[] {
  const values: Record<string, string> = {
    codename: board.codename,
    names: `${board.codename},nobody`,
    window: '30d',
    metric: 'yield',
    section: 'join',
    page: 'enroll',
    group: 'operators',
    code: 'not_found',
    part: '1',
    hash: '0'.repeat(32),
    uid: 'none',
    site: 'github',
    version: '0.0.0',
    file: 'none.js',
    path: 'entries/000.p/1',
  };
  const idOf = (path: string) => {
    return path.includes('/challenges/') ? board.challenge : board.receipt.submission_id;
  };
  const filled = (path: string) => {
    return path.replace(/\{(\w+)\*?\}/g, (_, name: string) => values[name] ?? idOf(path));
  };
  const pages = SITE_ROUTES.map(({ path, kind }) => {
    const readers = (Object.keys(PAGES) as Readers[]).find((who) => PAGES[who].includes(path));
    if (!readers) throw new Error(`No expectation for ${path}`);
    return { name: path, path: filled(path), readers, isMcp: kind === 'mcp' };
  });
  const operations = ROUTES.filter(({ method }) => method === 'GET').map(({ id, path, auth }) => {
    const readers: Readers =
      auth !== 'public' ? 'own' : OPEN_OPERATIONS.includes(id) ? 'anyone' : 'members';
    return { name: id, path: filled(path), readers, isMcp: false };
  });
  return [...pages, ...operations];
}

/** Sends a request with a credential. Returns whether the board asked for one, and whether shared caches may store it. */
async function ask(board: FullBoard, { path, isMcp }: Asked, headers: Record<string, string>) {
  const init = isMcp
    ? { method: 'POST', body: MCP_MESSAGE, headers: { ...headers, ...MCP_HEADERS } }
    : { headers };
  const answer = await fetch(board.server.url + path, { ...init, redirect: 'manual' });
  await answer.body?.cancel();
  const location = answer.headers.get('location') ?? '';
  const isOnItsWay = answer.status === 303 && location.startsWith('/login?return_to=');
  const isShared = /public|s-maxage/.test(answer.headers.get('cache-control') ?? '');
  return { isAway: answer.status === 401 || isOnItsWay, isShared };
}

const MCP_MESSAGE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
const MCP_HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
};

async function aBoardWithCredentials(env: Record<string, string>) {
  const board = await aFullBoard({ env });
  const { server, cookie, tokenFor } = board;
  const visitor = new Visitor(server.url);
  visitor.signInBy(cookie);
  const access = (await signInAsMcpClient(server, visitor, '')).tokens?.access_token ?? '';
  const key = await server.aKey();
  const headersOf = async (credential: Credential, path: string) => {
    const headers: Record<Credential, Record<string, string>> = {
      none: {},
      session: { cookie },
      'device token': { Authorization: `Bearer ${await tokenFor('GET', path)}` },
      'access token': { Authorization: `Bearer ${access}` },
      'API key': { 'X-API-Key': key },
    };
    return headers[credential];
  };
  return { ...board, env, headersOf };
}

/** Whether a board for members must answer. */
function isAnswered({ readers, isMcp }: Asked, credential: Credential): boolean {
  if (readers === 'anyone') return true;
  return isMcp ? credential === 'access token' : credential !== 'none';
}

test('every page and file has an expectation, and none is left over', () => {
  const listed = Object.values(PAGES).flat().sort();
  expect(listed).toEqual(SITE_ROUTES.map(({ path }) => path).sort());
});

/** What a board does differently from what `isAnswered` says, for every address and credential. */
async function differences(
  board: Awaited<ReturnType<typeof aBoardWithCredentials>>,
  isExpected: typeof isAnswered,
): Promise<string[]> {
  const wrong: string[] = [];
  for (const asked of addresses(board).filter(({ readers }) => readers !== 'own')) {
    for (const credential of CREDENTIALS) {
      const headers = await board.headersOf(credential, asked.path);
      const { isAway, isShared } = await ask(board, asked, headers);
      if (isAway === isExpected(asked, credential)) wrong.push(`${asked.name}: ${credential}`);
      const isPrivate = board.env['READ'] === 'members' && asked.readers === 'members';
      if (isPrivate && isShared) wrong.push(`${asked.name} may be stored by shared caches`);
    }
  }
  return wrong;
}

describe('a board for members', () => {
  test('answers only requests with a credential, except for sign-in, health and assets', async () => {
    const board = await aBoardWithCredentials({ READ: 'members' });
    expect(await differences(board, isAnswered)).toEqual([]);
  });

  test('shows badges to everyone if it is set to', async () => {
    const env = { READ: 'members', PUBLIC_BADGES: 'yes' };
    const { server, codename } = await aFullBoard({ env });
    const badge = await fetch(`${server.url}/badge/${codename}.svg`);
    const shield = await fetch(`${server.url}/shields/${codename}.json`);
    const page = await fetch(`${server.url}/operators/${codename}`, { redirect: 'manual' });
    expect([badge.status, shield.status, page.status]).toEqual([200, 200, 303]);
  });

  test('sends people to the sign-in page and back, explains errors to programs, and turns crawlers away', async () => {
    const { server, codename, cookie } = await aFullBoard({ env: { READ: 'members' } });
    const read = (path: string, headers = {}) => {
      return fetch(server.url + path, { redirect: 'manual', headers });
    };

    const page = await read(`/operators/${codename}?window=7d`);
    const markdown = await read('/index.md');
    const table = await read('/api/v1/leaderboard?format=csv');
    const wrongKey = await read('/api/v1/leaderboard', { 'X-API-Key': 'ob_wrong' });
    const wrongToken = await read('/feed.atom', { Authorization: 'Bearer wrong' });
    const signedIn = await read('/', { cookie });
    const robots = await read('/robots.txt');

    const back = encodeURIComponent(`/operators/${codename}?window=7d`);
    expect([page.status, page.headers.get('location')]).toEqual([303, `/login?return_to=${back}`]);
    expect([markdown.status, await codeOf(markdown)]).toEqual([401, 'unauthenticated']);
    expect([table.status, await codeOf(table)]).toEqual([401, 'unauthenticated']);
    expect([wrongKey.status, await codeOf(wrongKey)]).toEqual([401, 'api_key_invalid']);
    expect([wrongToken.status, await codeOf(wrongToken)]).toEqual([401, 'token_invalid']);
    expect(await signedIn.text()).toContain(codename);
    expect(signedIn.headers.get('cache-control')).toMatch(/^private/);
    expect(await robots.text()).toBe('User-agent: *\nDisallow: /\n');
  });
});

test('a public board answers everyone', async () => {
  const board = await aBoardWithCredentials({});
  const forOne = ({ isMcp }: Asked, credential: Credential) => {
    // Apps that send a token must send one for the MCP server.
    return !(isMcp && credential === 'device token');
  };
  expect(await differences(board, forOne)).toEqual([]);
});

async function codeOf(answer: Response): Promise<string> {
  return ((await answer.json()) as { code: string }).code;
}
