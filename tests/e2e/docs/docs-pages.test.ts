/** The documentation, as a board serves it. */
import { expect, test } from 'vitest';
import { DOCS_SECTIONS, EXAMPLE_BOARD, SITE_PAGES } from '#components/docs/docs-navigation.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';
import { docsFiles, linksIn } from '#tests/support/pages/docs-files.ts';
import { textsOf } from '#tests/support/pages/xml.ts';

const FILES = docsFiles();

async function read(path: string, headers: Record<string, string> = {}) {
  const { url } = await plainBoard();
  const response = await fetch(url + path, { headers, redirect: 'manual' });
  return { url, status: response.status, headers: response.headers, text: await response.text() };
}

/** The addresses that a page's sidebar links to, in order. */
function sidebarOf(html: string): string[] {
  const [, sidebar = ''] = /<nav aria-label="Documentation"(.*?)<\/nav>/s.exec(html) ?? [];
  return [...sidebar.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href);
}

test('every file is a page with its title, and with all pages in the sidebar', async () => {
  for (const { path, facts } of FILES) {
    const { status, text } = await read(path);
    expect([path, status]).toEqual([path, 200]);
    expect(text).toMatch(new RegExp(`<h1[^>]*>${escaped(facts['title'] ?? '')}</h1>`));
    const sidebar = sidebarOf(text);
    expect(sidebar).toEqual(
      expect.arrayContaining([...FILES, ...SITE_PAGES].map((one) => one.path)),
    );
    expect(sidebar).toHaveLength(FILES.length + SITE_PAGES.length + 1);
    expect([...text.matchAll(/aria-current="page"/g)]).toHaveLength(1);
    expect(text).not.toContain('https://bench.example.org');
  }
});

test('links lead to existing pages and sections', async () => {
  const ids = new Map<string, Promise<Set<string | undefined>>>();
  const idsOf = async (path: string) => {
    const { status, text } = await read(path);
    expect([path, status < 400]).toEqual([path, true]);
    return new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  };
  for (const file of FILES) {
    for (const link of linksIn(file)) {
      const url = new URL(link, EXAMPLE_BOARD + file.path);
      if (url.origin !== EXAMPLE_BOARD) continue;
      const path = url.pathname + url.search;
      const there = ids.get(path) ?? idsOf(path);
      ids.set(path, there);
      const isFound = url.hash === '' || (await there).has(url.hash.slice(1));
      expect([file.file, link, isFound]).toEqual([file.file, link, true]);
    }
  }
  await Promise.all(ids.values());
});

test('/docs links to all pages, by section', async () => {
  const { text } = await read('/docs');
  const [, main = ''] = /<main(.*)<\/main>/s.exec(text) ?? [];
  const links = [...main.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href);

  expect(links).toEqual(expect.arrayContaining([...FILES, ...SITE_PAGES].map(({ path }) => path)));
  for (const { title, summary } of DOCS_SECTIONS) {
    expect(main).toContain(title);
    expect(main).toContain(summary);
  }
});

test('the Markdown version has the text, and nothing that only a screen needs', async () => {
  for (const { path, facts, text: source } of FILES) {
    const { url, headers, text } = await read(`${path}.md`);
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(text).toContain(`# ${facts['title']}\n\nSource: <${url}${path}>`);
    expect(text).toContain(facts['summary']);
    expect(text).not.toMatch(
      /Search the documentation|^Previous|^Next$|On this page|\]\(#|Copy code/m,
    );
    for (const [, title = ''] of source.matchAll(/^## (.+)$/gm))
      expect(text).toContain(`## ${title}\n`);
  }
  const negotiated = await read('/docs', { Accept: 'text/markdown' });
  expect(negotiated.text).toMatch(/^# Documentation\n/);
});

test('sitemap and llms.txt list every file', async () => {
  const { url, text } = await read('/sitemap.xml');
  const guide = (await read('/llms.txt')).text;
  const [, listed = ''] = /^## Documentation\n(.*?)^## /ms.exec(guide) ?? [];

  for (const { path, facts } of [
    { path: '/docs', facts: {} as Record<string, string> },
    ...FILES,
  ]) {
    expect(textsOf(text, 'loc')).toContain(url + path);
    expect(listed).toContain(`](${url}${path}.md): ${facts['summary'] ?? ''}`);
  }
  expect(text).not.toContain('/docs/search');
});

test('a search marks the words in its results, and is not for search engines', async () => {
  const { status, headers, text } = await read('/docs/search?q=Device%20PROTOCOL');

  expect(status).toBe(200);
  expect(text).toContain('href="/developers/protocol"');
  expect(text).toMatch(/<mark[^>]*>[Dd]evice<\/mark>/);
  expect(text).toContain('value="Device PROTOCOL"');
  expect(text).toContain('<meta name="robots" content="noindex">');
  expect(headers.get('content-security-policy')).toContain("script-src 'self'");
});

test('a search without results says what to do', async () => {
  const none = await read('/docs/search?q=xylophone');
  expect(none.status).toBe(200);
  expect(none.text).toContain('No page contains all of these words');
  const empty = await read('/docs/search?q=+');
  expect(empty.text).toContain('Type a word or two');
});

test('search words are escaped and shortened', async () => {
  const marked = await read(`/docs/search?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
  expect(marked.text).not.toContain('"><script>alert');
  const long = await read(`/docs/search?q=${'x'.repeat(2000)}`);
  expect(long.text).not.toContain('x'.repeat(101));
});

test.each(['/docs/nothing', '/docs/run/nothing', '/docs/run/index', '/docs/a/b/c', '/docs/Run'])(
  '%s does not exist',
  async (path) => {
    const { status, text } = await read(path);
    expect(status).toBe(404);
    expect(text).toContain('role="search"');
  },
);

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
