/** Which responses shared caches may store. */
import { describe, expect, test } from 'vitest';
import { prepare } from '#server/http/response/prepared-response.ts';
import { HOST, anHttpLayer } from '#tests/support/http/http-layer.ts';

const HEADERS = { 'Content-Type': 'text/markdown', 'Cache-Control': 'public, max-age=60' };
const BYTES = Buffer.from('page '.repeat(200));
const KEY = { id: 'k', per_minute: 600 };

/** The three paths of a response through the HTTP layer. */
async function ways() {
  const page = await prepare(BYTES, HEADERS);
  return [
    { lookup: () => page },
    { lookup: async () => page },
    { render: async () => new Response(BYTES, { headers: HEADERS }) },
  ];
}

describe('a response that everyone may read', () => {
  test.each([
    ['a page', '/science', { accept: 'text/html' }, 'public'],
    ['a Markdown version', '/science.md', { accept: 'text/markdown' }, 'public'],
    ['a read', '/api/v1/leaderboard', {}, 'public'],
    ['a page as Markdown', '/science', { accept: 'text/markdown' }, 'private'],
    ['a read with a key', '/api/v1/leaderboard', { 'x-api-key': 'key' }, 'private'],
    ['a search with a key', '/leaderboard/30d/yield?q=a', { 'x-api-key': 'key' }, 'private'],
  ])(
    'may be stored by shared caches only where this is safe: %s',
    async (_, target, asked, kept) => {
      for (const over of await ways()) {
        const { ask } = await anHttpLayer({ ...over, readKey: () => KEY });
        const headers = { ...HOST, ...asked, 'accept-encoding': 'br' };
        const first = await ask({ target, headers });
        const tagged = { ...headers, 'if-none-match': String(first.headers['etag']) };
        const again = await ask({ target, headers: tagged });

        expect([first.status, again.status]).toEqual([200, 304]);
        expect(first.headers['cache-control']).toBe(`${kept}, max-age=60`);
        expect(again.headers['cache-control']).toBe(`${kept}, max-age=60`);
        expect(first.headers['content-encoding']).toBe('br');
      }
    },
  );

  test('is never stored if it is an error', async () => {
    const { ask } = await anHttpLayer({ render: async () => new Response('', { status: 404 }) });

    const { headers } = await ask({
      target: '/science',
      headers: { ...HOST, accept: 'text/markdown' },
    });

    expect(headers['cache-control']).toBe('no-store');
  });
});
