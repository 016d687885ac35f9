import { describe, expect, test } from 'vitest';
import { aDataDir } from '#tests/support/board/context.ts';
import { HAS_SIGNALS, runBuilt } from '#tests/support/http/process.ts';
import { startServer } from '#tests/support/http/server.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';

describe('the server process', () => {
  test('names the invalid setting, and ends with 1', async () => {
    const env = { DATA_DIR: aDataDir(), BASE_URL: 'https://board.test/path', PORT: 'http' };

    const { status, stderr } = await runBuilt('server/entry.mjs', [], env);

    expect(status).toBe(1);
    expect(stderr).toContain('BASE_URL: ');
    expect(stderr).toContain('PORT: ');
  });

  test('reports that its port is in use, and what to do', async () => {
    const first = await plainBoard();
    const { port } = new URL(first.url);

    const second = await runBuilt('server/entry.mjs', [], { DATA_DIR: aDataDir(), PORT: port });

    expect(second.status).toBe(1);
    expect(second.stderr).toContain(`Port ${port} on 127.0.0.1 is in use`);
  });

  test('ends with 0 when it is stopped, and serves its earlier publication as soon as it is back', async () => {
    const dataDir = aDataDir();
    const first = await startServer({ dataDir });
    const before = await (await fetch(`${first.url}/.well-known/opbench-keys.json`)).json();
    const ended = await first.stop('SIGTERM');

    const second = await startServer({ dataDir });
    const after = await (await fetch(`${second.url}/.well-known/opbench-keys.json`)).json();

    if (HAS_SIGNALS) expect(ended).toBe(0);
    expect(after).toEqual(before);
  });
});

describe('the HTTP layer', () => {
  test.each(['/', '/api/v1/leaderboard?limit=3', '/.well-known/opbench-keys.json', '/opbench.tgz'])(
    'responds to HEAD %s with the headers of GET',
    async (address) => {
      const { url } = await plainBoard();
      const tags = ['etag', 'content-type', 'content-encoding', 'cache-control', 'vary'];

      const get = await fetch(url + address);
      const head = await fetch(url + address, { method: 'HEAD' });

      expect(tags.map((name) => head.headers.get(name))).toEqual(
        tags.map((name) => get.headers.get(name)),
      );
      expect(await head.text()).toBe('');
    },
  );

  test.each([
    ['/nowhere', 404],
    ['/_image?href=/icon.svg&w=8&f=png', 404],
    ['/leaderboard/30d/colour', 404],
    ['/leaderboard/30d/yield?after=zzz', 410],
    ['/problems/nonsense', 404],
  ])('forbids caching the response to %s', async (address, status) => {
    const { url } = await plainBoard();

    const response = await fetch(url + address);

    expect(response.status).toBe(status);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('sends security headers, a strong tag and 304 for the published page', async () => {
    const { url } = await plainBoard();

    const page = await fetch(url);
    const etag = page.headers.get('etag') ?? '';
    const again = await fetch(url, { headers: { 'If-None-Match': etag } });

    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('cache-control')).toBe('public, max-age=60');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(etag).toMatch(/^(?:W\/)?"[\w-]{22}"$/);
    expect(again.status).toBe(304);
  });

  test('redirects everyone to the single host name that cookies and forms use', async () => {
    const { url } = await plainBoard();
    const { port } = new URL(url);

    const response = await fetch(`http://localhost:${port}/settings?x=1`, { redirect: 'manual' });

    expect(response.status).toBe(307);
    expect(response.headers.get('location')).toBe(`${url}/settings?x=1`);
  });

  test.each([
    ['GET', '/api/v1/nothing', 404, 'not_found'],
    ['POST', '/api/v1/leaderboard', 405, 'method_not_allowed'],
    ['GET', '/api/v1/leaderboard?window=1d', 400, 'query_invalid'],
    ['GET', '/api/v1/leaderboard?colour=red', 400, 'query_invalid'],
    ['GET', '/api/v1/leaderboard?cursor=x', 400, 'query_invalid'],
    ['GET', '/api/v1/me', 401, 'unauthenticated'],
    ['POST', '/api/v1/devices/codes', 401, 'unauthenticated'],
    ['DELETE', '/api/v1/devices/x', 404, 'not_found'],
    ['DELETE', '/api/v1/devices/a4f1e1de-2f0b-4c39-8a57-3a1d6b0c9e42', 401, 'unauthenticated'],
  ])('responds to %s %s with %i %s as a problem', async (method, path, status, code) => {
    const { url } = await plainBoard();

    const response = await fetch(url + path, { method });

    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(await response.json()).toMatchObject({ status, code, type: `${url}/problems/${code}` });
  });
});
