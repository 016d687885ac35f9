/** The sitemap and the feed over HTTP. */
import { expect, test } from 'vitest';
import { filledBoard } from '#tests/support/http/worker-boards.ts';
import { atomFaults, sitemapFaults, textsOf } from '#tests/support/pages/xml.ts';
import { expressionsIn } from '#tests/support/text/expressions.ts';

const FILES = [
  ['/feed.atom', 'application/atom+xml; charset=utf-8'],
  ['/operators/op-50/feed.atom', 'application/atom+xml; charset=utf-8'],
  ['/sitemap.xml', 'application/xml; charset=utf-8'],
] as const;

test('are the same for everyone, cached and compressed, and accept no parameters or writes', async () => {
  const { url } = await filledBoard();
  for (const [path, mediaType] of FILES) {
    const answer = await fetch(url + path);
    const etag = answer.headers.get('etag') ?? '';
    const bytes = await answer.text();

    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe(mediaType);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    const again = await fetch(url + path, { headers: { 'If-None-Match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await fetch(url + path, { method: 'HEAD' });
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
    expect(await (await fetch(`${url}${path}?page=2`)).text()).toBe(bytes);
    const post = await fetch(url + path, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
  }
  for (const part of ['1', '0', '%2e%2e%2f1', 'x']) {
    const missing = await fetch(`${url}/sitemap-${part}.xml`);
    expect(missing.status).toBe(404);
    expect(missing.headers.get('content-type')).toContain('application/problem+json');
    expect(missing.headers.get('cache-control')).toBe('no-store');
  }
});

test("an operator's page links a feed of milestones, which nobody else has", async () => {
  const { url } = await filledBoard();
  const path = '/operators/op-50/feed.atom';
  const page = await (await fetch(`${url}/operators/op-50`)).text();
  const feed = await (await fetch(url + path)).text();

  expect(page).toContain(`<link rel="alternate" href="${path}" type="application/atom+xml"`);
  expect(await atomFaults(feed)).toEqual([]);
  expect(expressionsIn(feed)).toEqual([]);
  expect(textsOf(feed, 'title')).toContainEqual(expect.stringMatching(/^op-50: First rank: \d+$/));
  const missing = await fetch(`${url}/operators/nobody/feed.atom`);
  expect([missing.status, missing.headers.get('content-type')]).toEqual([
    404,
    'application/problem+json; charset=utf-8',
  ]);
});

test('link to pages with that canonical address', async () => {
  const { url } = await filledBoard();
  const read = async (address: string) => (await fetch(address)).text();
  const sitemap = await read(`${url}/sitemap.xml`);
  const locations = textsOf(sitemap, 'loc');

  expect(await sitemapFaults(sitemap)).toEqual([]);
  expect(locations.filter((location) => location.includes('/operators/'))).toHaveLength(53);
  for (const location of locations.filter((one) => !/\/op-\d\d$/.test(one))) {
    const page = (await read(location)).replaceAll('&amp;', '&');
    expect(page).toContain(`<link rel="canonical" href="${location}"`);
    expect(page).not.toContain('content="noindex"');
  }
  const feed = await read(`${url}/feed.atom`);
  expect(await atomFaults(feed)).toEqual([]);
  expect(expressionsIn(feed)).toEqual([]);
  for (const [, href = ''] of feed.matchAll(/ href="([^"]*)"/g)) {
    expect((await fetch(href.replaceAll('&amp;', '&'))).status).toBe(200);
  }
  const front = await read(url);
  expect(front).toMatch(/<link rel="alternate" href="\/feed.atom" type="application\/atom\+xml"/);
  expect(front).toMatch(/<a href="\/feed.atom"[ >]/);
});
