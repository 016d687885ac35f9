import { describe, expect, test } from 'vitest';
import { PROBLEMS } from '#core/contract/problems.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}

describe('/developers', () => {
  test('links only to what is there', async () => {
    const { url } = await plainBoard();
    const page = await textOf(`${url}/developers`);
    const ids = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const links = [...page.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href);
    const inside = links.filter((href) => href.startsWith('#')).map((href) => href.slice(1));
    const outside = new Set(links.filter((href) => href.startsWith('/')));

    expect(inside.length).toBeGreaterThan(60);
    expect(inside.filter((id) => !ids.has(id))).toEqual([]);
    expect(ROUTES.filter(({ id }) => !ids.has(id))).toEqual([]);
    for (const code of Object.keys(PROBLEMS)) expect(outside).toContain(`/problems/${code}`);
    for (const href of outside) {
      // Some lead to signing in first.
      expect((await fetch(url + href, { redirect: 'manual' })).status).toBeLessThan(400);
    }
  });

  test('says on an empty board that some examples wait for an operator', async () => {
    const { url } = await plainBoard();
    expect(await textOf(`${url}/developers`)).toContain('Nobody has submitted yet');
  });
});

describe('/openapi.json', () => {
  test('is the same bytes each time, and 304 to who has them', async () => {
    const { url } = await plainBoard();
    const first = await fetch(`${url}/openapi.json`);
    const etag = first.headers.get('etag') ?? '';
    const again = await fetch(`${url}/openapi.json`, { headers: { 'If-None-Match': etag } });

    expect(first.headers.get('cache-control')).toMatch(/^public, max-age=300/);
    expect(again.status).toBe(304);
    expect(((await first.json()) as { servers: unknown[] }).servers).toEqual([
      expect.objectContaining({ url }),
    ]);
  });
});
