/** Rules that apply to all reads of the API. */
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { sheetOf } from '#core/contract/csv.ts';
import type { Route } from '#core/contract/route.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { aBucket } from '#tests/support/board/builders.ts';
import { announceOn } from '#tests/support/board/contests.ts';
import { type RunningServer, eventually, sharedServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';

const aServer = sharedServer(() => ({ env: { REFRESH_SECONDS: '1' } }));
let filled: ReturnType<typeof fill> | undefined;

/** A board on which ada has submitted, and the paths of all public reads there. */
function aBoard() {
  return (filled ??= fill());
}

async function fill() {
  const server = await aServer();
  const device = await enrollOverHttp(server, await server.signIn('ada'));
  const buckets = [1, 2, 3].map((days) => aBucket({ day: daysAgo(days) }));
  const sent = await postSnapshot(server, await device.seal(aLivePayload(server, buckets)));
  const { id } = sent.body;
  announceOn(server, id, { first_day: daysAgo(-1), last_day: daysAgo(-9) });
  const pathOf = (path: string) => path.replace('{codename}', 'ada').replace('{id}', id);
  const operator = () => fetch(`${server.url}/api/v1/operators/ada`);
  await eventually(operator, ({ ok }) => ok);
  const routes = ROUTES.filter(({ auth, cacheSeconds }) => auth === 'public' && cacheSeconds > 0);
  const withQuery = ({ id, path }: Route) => pathOf(path) + (QUERIES[id] ?? '');
  return { server, routes: routes.map((route) => ({ ...route, path: withQuery(route) })) };
}

/** The parameters of operations that require some. */
const QUERIES: Readonly<Record<string, string>> = {
  getLogProof: '?log_index=1',
  getLogConsistency: '?from=1',
};

const HEADERS = [
  'content-type',
  'content-length',
  'content-encoding',
  'cache-control',
  'etag',
  'vary',
];

/** The answers to GET, HEAD, and GET with the first answer's tag; repeated if a publication came in between. */
async function readThrice(
  { url }: Pick<RunningServer, 'url'>,
  path: string,
  tries = 3,
): Promise<Record<'again' | 'get' | 'head', Response>> {
  const headers = { 'Accept-Encoding': 'gzip', Cookie: 'session=x' };
  const get = await fetch(url + path, { headers });
  const head = await fetch(url + path, { method: 'HEAD', headers });
  const etag = get.headers.get('etag') ?? '';
  const again = await fetch(url + path, { headers: { ...headers, 'If-None-Match': etag } });
  // A weak tag stays valid although the new publication's bytes contain another time.
  const lengths = [get, head].map((answer) => answer.headers.get('content-length'));
  const isOver = again.status === 200 && again.headers.get('etag') !== etag;
  return (isOver || lengths[0] !== lengths[1]) && tries > 1
    ? readThrice({ url }, path, tries - 1)
    : { get, head, again };
}

const pick = ({ headers }: Response, names = HEADERS) => names.map((name) => headers.get(name));

test('every public read has an entity tag, can be cached, and answers HEAD and 304', async () => {
  const { server, routes } = await aBoard();

  for (const { path, cacheSeconds } of routes) {
    const { get, head, again } = await readThrice(server, path);

    expect([path, get.status, head.status, again.status]).toEqual([path, 200, 200, 304]);
    expect(pick(head)).toEqual(pick(get));
    expect(await head.text()).toBe('');
    expect(get.headers.get('etag')).toMatch(/^(?:W\/)?"[\w-]{22}"$/);
    expect(get.headers.get('cache-control')).toBe(`public, max-age=${cacheSeconds}`);
    expect(get.headers.getSetCookie()).toEqual([]);
    const kept = ['cache-control', 'etag', 'vary', 'access-control-allow-origin'];
    expect(pick(again, kept)).toEqual(pick(get, kept));
  }
});

test('every list is available as CSV, with its columns and a row for each entry', async () => {
  const { server, routes } = await aBoard();

  const lists = routes.flatMap(({ path, table, reply }) => (table ? [{ path, table, reply }] : []));
  for (const { path, table, reply } of lists) {
    const json = reply.parse(await (await fetch(server.url + path)).json());
    const answer = await fetch(`${server.url + path}?format=csv`);
    const [head, ...rows] = parse(await answer.text(), { record_delimiter: '\r\n' }) as string[][];

    expect([path, answer.headers.get('content-type')]).toEqual([
      path,
      'text/csv; charset=utf-8; header=present',
    ]);
    expect(head).toEqual(sheetOf({ row: table.row, rows: () => [] }, null).columns);
    expect(rows).toHaveLength(table.rows(json).length);
    expect(answer.headers.get('etag')).toMatch(/^(?:W\/)?"[\w-]{22}"$/);
  }
});

test('a list continues page by page until its end', async () => {
  const { server } = await aBoard();
  const whole = (await (await fetch(`${server.url}/api/v1/log`)).json()) as { total: number };
  const indices: number[] = [];
  let next: string | null = '/api/v1/log?limit=2';
  while (next !== null) {
    const answer: Response = await fetch(server.url + next);
    const page = (await answer.json()) as { entries: { log_index: number }[] };
    indices.push(...page.entries.map(({ log_index }) => log_index));
    next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
  }

  expect(whole.total).toBeGreaterThan(2);
  expect(indices).toEqual(Array.from({ length: whole.total }, (_, at) => at + 1));
});

test('nothing under /api is a page', async () => {
  const { url } = await aServer();
  const paths = [
    ...ROUTES.map(({ path }) => path.replaceAll(/\{\w+\}/g, 'x')),
    '/api',
    '/api/',
    '/api/v1',
    '/api/v2/leaderboard',
    '/api/v1/leaderboard/',
    '/api/v1/leaderboard.json',
    '/api/v1/leaderboard%00',
    '/.well-known/nothing',
  ];

  for (const path of paths) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const answer = await fetch(url + path, { method, redirect: 'manual' });
      const type = answer.headers.get('content-type');
      const told = `${method} ${path} ${answer.status} ${type}`;

      expect(told).toMatch(
        / 204 null$| 200 application\/(?:[\w-]+\+)?json$|application\/problem\+json; charset=utf-8$/,
      );
      expect(answer.status).toBeLessThan(500);
    }
  }
});
