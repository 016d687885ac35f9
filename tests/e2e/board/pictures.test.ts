/** Badges and preview pictures of the built board. */
import { expect, test } from 'vitest';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { lookAt } from '#tests/support/pages/drawn.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { setProfile } from '#tests/support/http/modes.ts';
import { type RunningServer, eventually, sharedServer } from '#tests/support/http/server.ts';
import { aLivePayload, enrollOverHttp, postSnapshot } from '#tests/support/http/wire.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';

const NAME = `Zürich & <Söhne> "排行榜"`;

const aServer = sharedServer(() => ({ env: { REFRESH_SECONDS: '3600', BOARD_NAME: NAME } }));
let scene: ReturnType<typeof setScene> | undefined;

/** A board with a hostile name, on which ada is ranked and bob is private. */
function aScene() {
  return (scene ??= setScene());
}

async function setScene() {
  const server = await aServer();
  await joined(server, 'ada', 10_000);
  const bob = await joined(server, 'bob', 20_000);
  // Each change publishes; bob is private from the second on.
  await setProfile(server, bob, { privacy_mode: 'pseudonymous' });
  await setProfile(server, bob, { privacy_mode: 'private' });
  const ask = (path: string, init: Parameters<typeof fetch>[1] = {}) =>
    fetch(server.url + path, { redirect: 'manual', ...init });
  return { server, bob, ask };
}

async function joined(server: RunningServer, codename: string, output: number): Promise<string> {
  const cookie = await server.signIn(codename);
  const device = await enrollOverHttp(server, cookie);
  const buckets = bucketsOfDays(10, daysAgo(10), { output });
  await postSnapshot(server, await device.seal(aLivePayload(server, buckets)));
  return cookie;
}

/** The headers that distinguish answers. */
function told({ status, headers }: Response) {
  const own = ['date', 'x-request-id', 'connection', 'keep-alive'];
  return [status, [...headers].filter(([name]) => !own.includes(name))];
}

test('shields.io gets the same as a badge, from any site', async () => {
  const { ask } = await aScene();

  const ranked = await ask('/shields/ada.json?show=rank');
  const unlisted = await Promise.all(['bob', 'nobody'].map((name) => ask(`/shields/${name}.json`)));

  expect(ranked.headers.get('access-control-allow-origin')).toBe('*');
  expect(ranked.headers.get('cache-control')).toBe('public, max-age=300');
  expect(await ranked.json()).toMatchObject({
    schemaVersion: 1,
    label: NAME,
    message: 'yield 1 of 1, all tools',
  });
  const [bob, nobody] = await Promise.all(unlisted.map((answer) => answer.json()));
  expect(bob).toMatchObject({ message: 'not listed', isError: true });
  expect(bob).toEqual(nobody);
});

test('pages link to their oEmbed, which describes them or says what is wrong', async () => {
  const { ask, server } = await aScene();
  for (const path of ['/', '/leaderboard/30d/snr', '/operators/ada']) {
    const html = await (await ask(path)).text();
    const [, href = ''] = /type="application\/json\+oembed" href="([^"]+)"/.exec(html) ?? [];
    const answer = await fetch(href.replaceAll('&amp;', '&'));
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
      path,
      200,
      'application/json; charset=utf-8',
    ]);
    expect(await answer.json()).toMatchObject({
      version: '1.0',
      type: 'link',
      provider_name: NAME,
    });
  }
  const url = encodeURIComponent(`${server.url}/`);
  const asked = [
    '/oembed',
    `/oembed?url=${url}&format=xml`,
    `/oembed?url=${url}&maxwidth=-1`,
    `/oembed?url=${url}operators/bob`,
  ];
  const wrong = await Promise.all(asked.map((path) => ask(path)));
  expect(wrong.map(({ status }) => status)).toEqual([400, 400, 400, 404]);
  expect(wrong[0]?.headers.get('content-type')).toContain('application/problem+json');
});

test("a badge shows an operator's rank, and does not reveal whether other operators exist", async () => {
  const { ask, bob } = await aScene();

  const ranked = await ask('/badge/ada.svg', { headers: { Cookie: bob } });
  const svg = await ranked.text();
  expect(svg).toContain(
    'aria-label="Zürich &amp; &lt;Söhne&gt; &quot;排行榜&quot;: ada is ranked 1 of 1 by yield, last 30 days, all tools"',
  );
  expect(Object.fromEntries(ranked.headers)).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
    'content-encoding': 'gzip',
    vary: 'Accept-Encoding',
    etag: expect.stringMatching(/^(?:W\/)?"[\w-]{22}"$/) as string,
  });
  expect(ranked.headers.has('set-cookie')).toBe(false);

  const etag = ranked.headers.get('etag') ?? '';
  const known = await ask('/badge/ada.svg', { headers: { 'If-None-Match': etag } });
  const head = await ask('/badge/ada.svg', { method: 'HEAD' });
  expect([known.status, await known.text()]).toEqual([304, '']);
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);

  const strange = await ask('/badge/ada.svg?metric=wealth&window=1d&theme=neon&show=all&x=%00');
  expect([strange.status, await strange.text()]).toEqual([200, svg]);
  const dark = await (await ask('/badge/ada.svg?theme=dark&show=value')).text();
  expect(dark).toContain('#13161c');
  expect(dark).toContain('ada has ');

  const unknown = await ask('/badge/nobody.svg?window=7d&tool=codex');
  const text = await unknown.text();
  expect(text).toContain('not listed');
  for (const name of [
    'bob',
    'anonymous-0123456789',
    'ADA',
    'a.b',
    'x'.repeat(500),
    'a/b',
    '%20',
    '',
  ]) {
    const quiet = await ask(`/badge/${name}.svg?metric=snr`);
    expect([told(quiet), await quiet.text()]).toEqual([told(unknown), text]);
  }
});

test('a missing picture is not answered with a page', async () => {
  const { ask } = await aScene();

  for (const path of ['/badge/ada', '/avatars/x', '/avatars/x.webp', '/board/logo-x.png']) {
    const { status, headers } = await ask(path);
    const told = { path, status, ...Object.fromEntries(headers) };
    expect(told).toMatchObject({
      path,
      status: 404,
      'content-type': expect.stringMatching(/^text\/plain; ?charset=utf-8$/i) as string,
      'cache-control': 'no-store',
    });
  }
});

test('the board has a preview picture', async () => {
  const { ask, server } = await aScene();

  const page = await (await ask('/')).text();
  expect(page).toContain(`<meta property="og:image" content="${server.url}/open-graph.png">`);

  const [first, again] = await Promise.all([ask('/open-graph.png'), ask('/open-graph.png?x=1')]);
  const png = Buffer.from(await first.arrayBuffer());
  expect(told(again)).toEqual(told(first));
  expect(Object.fromEntries(first.headers)).toMatchObject({
    'content-type': 'image/png',
    'content-length': String(png.length),
    'cache-control': 'public, max-age=300',
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(first.headers.has('content-encoding')).toBe(false);
  const { width, height, colours } = await lookAt(png);
  expect([width, height]).toEqual([1200, 630]);
  // The title, and the row of ada; the space below is empty.
  expect(colours({ top: 120, bottom: 190 })).toBeGreaterThan(5);
  expect(colours({ top: 220, bottom: 256 })).toBeGreaterThan(5);
  expect(colours({ top: 310, bottom: 550 })).toBe(1);
  expect(png.length).toBeLessThan(100_000);

  const etag = first.headers.get('etag') ?? '';
  const known = await ask('/open-graph.png', { headers: { 'If-None-Match': etag } });
  expect(known.status).toBe(304);
  expect(server.log()).not.toContain('picture_failed');
});

test('a board without operators has a preview picture', async () => {
  const server = await plainBoard();
  const { status } = await eventually(
    () => fetch(`${server.url}/open-graph.png`),
    (answer) => answer.status === 200,
  );
  expect(status).toBe(200);
  const badge = await fetch(`${server.url}/badge/ada.svg`);
  expect([badge.status, (await badge.text()).includes('not listed')]).toEqual([200, true]);
});

test("a link to an operator's page previews that operator, and reveals nobody else", async () => {
  const { ask, server } = await aScene();
  const page = await (await ask('/operators/ada')).text();
  const own = await ask('/cards/ada.png');
  const body = Buffer.from(await own.arrayBuffer());
  const board = await ask('/open-graph.png');
  const boardBody = Buffer.from(await board.arrayBuffer());

  expect(page).toContain(`property="og:image" content="${server.url}/cards/ada.png"`);
  expect([own.status, own.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([1200, 630]);
  expect(body.equals(boardBody)).toBe(false);
  const etag = own.headers.get('etag') ?? '';
  expect((await ask('/cards/ada.png', { headers: { 'If-None-Match': etag } })).status).toBe(304);
  for (const name of ['bob', 'nobody']) {
    const other = await ask(`/cards/${name}.png`);
    expect([other.status, other.headers.get('etag')]).toEqual([200, board.headers.get('etag')]);
    expect(Buffer.from(await other.arrayBuffer()).equals(boardBody)).toBe(true);
  }
});

test('a link to a comparison previews it, and reveals nobody else', async () => {
  const { ask, server } = await aScene();
  const cay = await joined(server, 'cay', 15_000);
  await setProfile(server, cay, { privacy_mode: 'pseudonymous' });
  const own = await ask('/cards/compare/ada,cay.png');
  const body = Buffer.from(await own.arrayBuffer());
  const board = await ask('/open-graph.png');

  expect(Object.fromEntries(own.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=300',
  });
  expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([1200, 630]);
  const etag = own.headers.get('etag') ?? '';
  const again = await ask('/cards/compare/cay,ada.png', { headers: { 'If-None-Match': etag } });
  expect(again.status).toBe(304);
  for (const names of ['ada,bob', 'ada,nobody', 'ada', 'ada,cay,x,y,z']) {
    const other = await ask(`/cards/compare/${names}.png`);
    expect([names, other.headers.get('etag')]).toEqual([names, board.headers.get('etag')]);
  }
});

test('a link to a year in review previews that year, and reveals nobody else', async () => {
  const { ask, server } = await aScene();
  const year = daysAgo(1).slice(0, 4);
  const page = await (await ask(`/operators/ada/${year}`)).text();
  const own = await ask(`/cards/ada/${year}.png`);
  const body = Buffer.from(await own.arrayBuffer());
  const board = await ask('/open-graph.png');

  expect(page).toContain(`property="og:image" content="${server.url}/cards/ada/${year}.png"`);
  expect([own.status, own.headers.get('content-type')]).toEqual([200, 'image/png']);
  expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([1200, 630]);
  const etag = own.headers.get('etag') ?? '';
  expect(etag).not.toBe(board.headers.get('etag'));
  const again = await ask(`/cards/ada/${year}.png`, { headers: { 'If-None-Match': etag } });
  expect(again.status).toBe(304);
  const neutral = [
    `bob/${year}`,
    `nobody/${year}`,
    'ada/9999',
    'ada/2023',
    `ada/${year}-13`,
    'ada/x',
  ];
  for (const name of neutral) {
    const other = await ask(`/cards/${name}.png`);
    expect([name, other.status, other.headers.get('etag')]).toEqual([
      name,
      200,
      board.headers.get('etag'),
    ]);
  }
});
