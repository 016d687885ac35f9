/** Nearly correct addresses, and the files that browsers request on their own. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { RunningServer } from '#tests/support/http/server.ts';
import { filledBoard, plainBoard } from '#tests/support/http/worker-boards.ts';

const ask = async ({ url }: RunningServer, path: string, init: RequestInit = {}) => {
  const answer = await fetch(url + path, { redirect: 'manual', ...init });
  const { status, headers } = answer;
  const location = headers.get('location');
  return {
    status,
    headers,
    location,
    type: headers.get('content-type'),
    text: await answer.text(),
  };
};

const MARKDOWN = { headers: { Accept: 'text/markdown' } };

test('nearly correct addresses get a suggestion or a redirect', async () => {
  const server = await filledBoard();

  const misses = [
    ['/api/v1/leaderbord', 'Did you mean /api/v1/leaderboard?'],
    ['/api/v1/submissions/abc', 'id must be a lower-case UUID of version 7'],
    ['/leaderbord/30d/yield', 'href="/leaderboard/30d/yield"'],
    ['/submissions/abc', '36 characters'],
  ];
  for (const [path = '', hint = ''] of misses) {
    const { status, text } = await ask(server, path);
    expect([path, status]).toEqual([path, 404]);
    expect(text).toContain(hint);
  }
  const moved = [
    ['/operators/Ada', '/operators/ada'],
    ['/api/v1/operators/ADA', '/api/v1/operators/ada'],
    ['/?q=ada', '/leaderboard/all_time/yield?q=ada'],
    ['/index.md?q=ada', '/leaderboard/all_time/yield.md?q=ada'],
  ];
  for (const [path = '', location] of moved) {
    expect([path, await ask(server, path)]).toMatchObject([path, { status: 307, location }]);
  }
  expect((await ask(server, '/?q=')).status).toBe(200);
  expect((await ask(server, '/?q=ada', MARKDOWN)).location).toMatch(/yield\.md\?q=ada$/);
  expect(await ask(server, '/operators/Nobody')).toMatchObject({ status: 404, location: null });
});

test('a missing page is Markdown for readers who prefer it', async () => {
  const server = await plainBoard();

  for (const path of [
    '/nothing',
    '/leaderbord/30d/yield',
    '/settings/nothing',
    '/operators/nobody',
  ]) {
    const { status, type, text } = await ask(server, path, MARKDOWN);
    expect([path, status, type]).toEqual([path, 404, 'text/markdown; charset=utf-8']);
    expect(text).toMatch(/^# /);
    expect((await ask(server, path)).type).toBe('text/html; charset=utf-8');
  }
});

test('browsers get icons and a manifest at the usual addresses', async () => {
  const server = await plainBoard();
  const files = [
    ['/favicon.ico', 'image/x-icon'],
    ['/apple-touch-icon.png', 'image/png'],
    ['/site.webmanifest', 'application/manifest+json'],
  ];
  const page = await ask(server, '/');
  expect(page.headers.get('content-security-policy')).toContain("manifest-src 'self'");

  for (const [path = '', type = ''] of files) {
    const get = await ask(server, path);
    expect([path, get.status, get.type]).toEqual([path, 200, type]);
    expect(get.headers.get('cache-control')).toBe('public, max-age=300');
    expect(page.text).toContain(`href="${path}"`);
    const head = await ask(server, path, { method: 'HEAD' });
    expect([head.status, head.type, head.text]).toEqual([200, type, '']);
    const etag = get.headers.get('etag') ?? '';
    expect((await ask(server, path, { headers: { 'If-None-Match': etag } })).status).toBe(304);
    const options = await ask(server, path, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  }
  const days = await ask(server, '/api/v1/days', { method: 'OPTIONS' });
  expect([days.status, days.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  expect((await ask(server, '/api/v1/days', { method: 'HEAD' })).status).toBe(200);
});

test('the settings say what is public, and how new operators add a device', async () => {
  const server = await plainBoard();
  const headers = { Cookie: await server.signIn('newcomer') };
  const store = new Database(join(server.dataDir, 'opbench.sqlite'));
  store.exec(`UPDATE operators SET codename_confirmed = 0, privacy_mode = 'identified'
    WHERE codename = 'newcomer'`);
  store.close();

  const { text: overview } = await ask(server, '/settings', { headers });
  const section = overview.slice(
    overview.indexOf('Add a device'),
    overview.indexOf('Confirm codename'),
  );
  expect(section).toContain('confirm your codename');
  expect(section).toContain('“Add a device”');
  const { text: profile } = await ask(server, '/settings/profile', { headers });
  expect(profile.replaceAll(/\s+/g, ' ')).toContain('your page on the board shows all of it');
  const refused = await ask(server, '/api/v1/leaderboard?metric=x');
  expect(JSON.parse(refused.text)).toMatchObject({ hint: expect.stringContaining('`errors`') });
});
