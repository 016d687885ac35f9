/** How every response announces a deprecation, on a route that only this test has. */
import { parseItem } from 'structured-headers';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type Route, defineRoute } from '#core/contract/route.ts';
import { ROUTES, operationRoutes } from '#core/contract/routes.ts';
import { prepare } from '#server/http/response/prepared-response.ts';
import { HOST, anHttpLayer } from '#tests/support/http/http-layer.ts';
import { RouteTable } from '#core/contract/route-table.ts';
import type { Answered } from '#tests/support/http/loopback.ts';

const BOARD = '/api/v1/leaderboard';
const FINISHED = await prepare(Buffer.from('{}'), { 'Content-Type': 'application/json' });
const ETAG = FINISHED.encodings.identity.etag;

const codeOf = ({ bytes }: Answered) => (JSON.parse(bytes.toString()) as { code: string }).code;

describe('a deprecated operation', () => {
  const OLD = '/api/v1/old/{id}';
  const deprecation = { since: '2026-11-01', sunset: '2027-01-31', successor: BOARD } as const;
  const like = defineRoute('listDays', { auth: 'public', reply: z.object({}) });
  const old = { ...like, id: 'getOld', path: OLD, deprecation } as unknown as Route;
  const target = '/api/v1/old/1';
  const link =
    '</developers/board#getOld>; rel="deprecation"; type="text/html", </api/v1/leaderboard>; rel="successor-version"';

  async function anOldFront(publicReads = 1000) {
    return anHttpLayer(
      {
        routes: new RouteTable(operationRoutes([...ROUTES, old])),
        lookup: (address) => (address === target ? FINISHED : undefined),
        render: async ({ url }) => {
          const Link = `<${target}?cursor=x>; rel="next"`;
          const shared = { 'Cache-Control': 'public, max-age=60', Link };
          return url.endsWith('?bad')
            ? new Response('{}', { status: 400 })
            : new Response('{}', { headers: url.endsWith('?cached') ? shared : { Link } });
        },
      },
      publicReads,
    );
  }

  test.each([
    [200, 'GET', target, {}],
    [200, 'HEAD', target, {}],
    [304, 'GET', target, { 'If-None-Match': ETAG }],
    [200, 'GET', `${target}?live`, {}],
    [200, 'GET', `${target}?cached`, {}],
    [400, 'GET', `${target}?bad`, {}],
    [404, 'GET', '/api/v1/old/%31', {}],
    [405, 'POST', target, {}],
    [401, 'GET', target, { 'X-API-Key': 'x' }],
  ])('is announced on a %i to %s %s', async (status, method, path, more) => {
    const { ask } = await anOldFront();

    const answer = await ask({ method, target: path, headers: { ...HOST, ...more } });

    expect(answer.status).toBe(status);
    const { deprecation: since, sunset } = answer.headers as Record<string, string>;
    expect(since).toBe('@1793491200');
    expect(parseItem(String(since))[0]).toEqual(new Date('2026-11-01T00:00:00Z'));
    expect(sunset).toBe('Mon, 01 Feb 2027 00:00:00 GMT');
    expect(String(answer.headers['link'])).toContain(link);
  });

  test.each(['?live', '?cached'])('links the next page in addition (%s)', async (query) => {
    const { ask } = await anOldFront();

    const { headers } = await ask({ target: target + query, headers: HOST });

    expect(headers['link']).toBe(`${link}, <${target}?cursor=x>; rel="next"`);
  });

  test('is announced on a 429', async () => {
    const { ask } = await anOldFront(1);
    await ask({ target, headers: HOST });

    const { status, headers } = await ask({ target, headers: HOST });

    expect([status, headers['deprecation'], headers['link']]).toEqual([429, '@1793491200', link]);
  });

  test('responds until the end of its last day, and is then gone', async () => {
    const { ask, clock } = await anOldFront();
    clock.nowMs = Date.parse('2027-01-31T23:59:59.999Z');
    const last = await ask({ target, headers: HOST });
    clock.nowMs += 1;

    const gone = await ask({ target, headers: { ...HOST, 'If-None-Match': ETAG } });

    expect(last.status).toBe(200);
    expect([gone.status, codeOf(gone)]).toEqual([410, 'gone']);
    expect(gone.headers).toMatchObject({ 'cache-control': 'no-store', link });
  });

  test('does not affect others', async () => {
    const { ask } = await anOldFront();

    const { headers } = await ask({ target: BOARD, headers: HOST });

    expect(headers).not.toHaveProperty('deprecation');
    expect(headers).not.toHaveProperty('sunset');
  });
});
