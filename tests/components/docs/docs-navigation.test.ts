import { expect, test } from 'vitest';
import {
  type DocsPage,
  SITE_PAGES,
  fullTitle,
  inSections,
  isPart,
} from '#components/docs/docs-navigation.ts';
import { pageHtml } from '#components/docs/docs-html.ts';

function aPage(path: string, order: number): DocsPage {
  return { section: 'run', path, title: path, summary: '', order };
}

test('the quick start comes first, then pages in their order', () => {
  const pages = [aPage('/docs/run/b', 2), aPage('/docs/run/a', 1), aPage('/docs/run', 9)];
  const sections = inSections([...pages, ...SITE_PAGES]);

  expect(sections.map(({ id }) => id)).toEqual(['join', 'run', 'build', 'how']);
  expect(sections[1]?.pages.map(({ path }) => path)).toEqual([
    '/docs/run',
    '/docs/run/a',
    '/docs/run/b',
  ]);
  expect(sections[1]?.pages.map((page) => fullTitle(page, sections))).toEqual([
    'Run a board: /docs/run',
    '/docs/run/a',
    '/docs/run/b',
  ]);
});

test('a page of the site below another one is a part of it; a Markdown file is not', () => {
  expect(isPart(aPage('/developers/protocol', 1))).toBe(true);
  expect(isPart(aPage('/developers', 1))).toBe(false);
  expect(isPart(aPage('/docs/run/a', 1))).toBe(false);
});

test('each heading gets a link with a name', () => {
  expect(pageHtml('<h2 id="a">Use <code>"x"</code></h2><p>t</p><h4 id="b">B</h4>')).toBe(
    '<div class="heading level-2"><h2 id="a">Use <code>"x"</code></h2>' +
      '<a href="#a" aria-label="Link to “Use &quot;x&quot;”" data-screen-only>#</a></div>' +
      '<p>t</p><h4 id="b">B</h4>',
  );
});

test('options in code stay in one line, unless they are longer than a phone is wide', () => {
  const long = `--${'a'.repeat(30)}`;
  expect(pageHtml(`<pre><code>x --dry-run ${long}\n</code></pre><p>a-b</p>`)).toBe(
    `<pre><code>x <span class="whole">--dry-run</span> ${long}\n</code></pre><p>a-b</p>`,
  );
});
