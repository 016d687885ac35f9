import { describe, expect, test } from 'vitest';
import { TAGS } from '#core/contract/route.ts';
import { ROUTES } from '#core/contract/routes.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';

const PAGES = [
  '/developers',
  ...[...Object.keys(TAGS), 'limits', 'mcp', 'types'].map((page) => `/developers/${page}`),
  '/problems',
];
const FORMER_SECTIONS = [
  ...['begin', 'formats', 'lists', 'csv', 'caching', 'limits', 'keys', 'credentials'],
  ...['access-tokens', 'refusals', 'versions', 'agents', 'operations', 'types'],
];

function idsIn(page: string): Set<string> {
  return new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
}

/** Links within the board. */
function linksIn(page: string): string[] {
  const links = [...page.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href);
  return links.filter((href) => /^[#/]/.test(href));
}

function byPath(targets: Iterable<string>): Map<string, string[]> {
  const paths = new Map<string, string[]>();
  for (const target of targets) {
    const [path = '', fragment] = target.split('#');
    paths.set(path, [...(paths.get(path) ?? []), ...(fragment === undefined ? [] : [fragment])]);
  }
  return paths;
}

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}

describe('/developers', () => {
  test('and the pages of its groups have no broken links', async () => {
    const { url } = await plainBoard();
    const targets = new Set<string>();
    for (const path of PAGES) {
      for (const href of linksIn(await textOf(url + path))) {
        targets.add(href.startsWith('#') ? path + href : href);
      }
    }
    const broken: string[] = [];
    for (const [path, fragments] of byPath(targets)) {
      // Some pages redirect to the sign-in.
      const response = await fetch(url + path, { redirect: 'manual' });
      const ids = idsIn(await response.text());
      if (response.status >= 400) broken.push(path);
      if (response.status >= 300) continue;
      broken.push(...fragments.filter((id) => !ids.has(id)).map((id) => `${path}#${id}`));
    }

    expect(targets.size).toBeGreaterThan(200);
    expect(broken).toEqual([]);
  });

  test('has an anchor for every operation and every former section, with a link to its new place', async () => {
    const { url } = await plainBoard();
    const page = await textOf(`${url}/developers`);
    const ids = idsIn(page);

    expect(
      [...ROUTES.map(({ id }) => id), ...FORMER_SECTIONS].filter((id) => !ids.has(id)),
    ).toEqual([]);
    for (const { id, tag } of ROUTES) expect(page).toContain(`href="/developers/${tag}#${id}"`);
  });

  test('has a page for each group, with every operation and its errors', async () => {
    const { url } = await plainBoard();
    for (const tag of Object.keys(TAGS)) {
      const page = await textOf(`${url}/developers/${tag}`);
      const ids = idsIn(page);
      const routes = ROUTES.filter((route) => route.tag === tag);
      expect(routes.filter(({ id }) => !ids.has(id))).toEqual([]);
      expect(await textOf(`${url}/developers/${tag}.md`)).toContain(routes[0]?.path);
      for (const code of routes.flatMap(({ errors }) => errors)) {
        expect(page).toContain(`href="/problems/${code}"`);
      }
    }
    expect((await fetch(`${url}/developers/none`)).status).toBe(404);
  });

  test('says on an empty board that some examples need an operator', async () => {
    const { url } = await plainBoard();
    expect(await textOf(`${url}/developers`)).toContain('Nobody has submitted yet');
  });
});

describe('/openapi.json', () => {
  test('returns the same bytes each time, and 304 for an unchanged copy', async () => {
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
