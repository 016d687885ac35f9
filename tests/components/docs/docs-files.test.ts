/** The Markdown files of the documentation follow the rules that the sidebar, the search and readers rely on. */
import { expect, test } from 'vitest';
import { DOCS_SECTIONS, EXAMPLE_BOARD, SITE_PAGES } from '#components/docs/docs-navigation.ts';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import {
  type DocsFile,
  codeIn,
  docsFiles,
  headingsIn,
  linksIn,
  wordCount,
} from '#tests/support/pages/docs-files.ts';

const MAX_WORDS = 900;
const FILES = docsFiles();
const SECTIONS: readonly string[] = DOCS_SECTIONS.map(({ id }) => id);

/** What is wrong with each file, a line each. */
function faultsOf(faultsIn: (file: DocsFile) => string[]): string[] {
  return FILES.flatMap((file) => faultsIn(file).map((fault) => `${file.file}: ${fault}`));
}

test('every section has a quick start, and every file belongs to a section', () => {
  for (const section of SECTIONS) {
    expect(FILES.map(({ file }) => file)).toContain(`${section}/index.md`);
  }
  const strangers = FILES.filter(({ file, section }) => {
    return !SECTIONS.includes(section) || !/^[a-z]+\/[a-z\d-]+\.md$/.test(file);
  });
  expect(strangers.map(({ file }) => file)).toEqual([]);
});

test('the front matter has a title, a summary of one sentence, and a place below those of site pages', () => {
  const faults = faultsOf(({ facts }) => {
    const { title = '', summary = '', order = '' } = facts;
    return [
      ...(Object.keys(facts).join() === 'title,summary,order' ? [] : ['other members']),
      ...(title === '' || /\.$/.test(title) ? ['title'] : []),
      ...(/^[A-Z`].{10,200}\.$/.test(summary) ? [] : ['summary']),
      ...(/^\d{1,2}$/.test(order) ? [] : ['order']),
    ];
  });
  expect(faults).toEqual([]);
});

test('no two pages of a section have the same place, or the same title', () => {
  for (const section of SECTIONS) {
    const files = FILES.filter((file) => file.section === section).map(({ facts }) => facts);
    const pages = SITE_PAGES.filter((page) => page.section === section);
    const orders = [...files.map(({ order }) => Number(order)), ...pages.map(({ order }) => order)];
    const titles = [...files, ...pages].map(({ title }) => title);
    expect([...new Set(orders)]).toEqual(orders);
    expect([...new Set(titles)]).toEqual(titles);
  }
});

test('the pages of the site that the navigation lists exist', () => {
  for (const { path } of SITE_PAGES) expect(ROUTE_TABLE.find(path)).toMatchObject({ kind: 'page' });
});

test(`no page is longer than ${MAX_WORDS} words`, () => {
  const long = faultsOf((file) => {
    return wordCount(file) > MAX_WORDS ? [`${wordCount(file)} words`] : [];
  });
  expect(long).toEqual([]);
});

test('headings begin at the second level and with a letter, and none repeats another', () => {
  const faults = faultsOf((file) => {
    const headings = headingsIn(file);
    const skips = headings.filter(([level], at) => {
      return level === 1 || level > (headings[at - 1]?.[0] ?? 1) + 1;
    });
    const repeated = headings.filter(
      ([, text], at) => headings.findIndex((one) => one[1] === text) < at,
    );
    // Anchors are made of headings, and an ID must begin with a letter.
    const unnamed = headings.filter(([, text]) => !/^`?[a-z]/i.test(text));
    return [...skips, ...repeated, ...unnamed].map(([, text]) => text);
  });
  expect(faults).toEqual([]);
});

test('blocks of code name their language', () => {
  const faults = faultsOf((file) => {
    return codeIn(file).flatMap(({ lang, value }) => (lang ? [] : [value.slice(0, 40)]));
  });
  expect(faults).toEqual([]);
});

// A test of the built board follows the links with their anchors.
test('links lead to addresses of the board or to other sites, never to files', () => {
  const known = new Set(FILES.map(({ path }) => path));
  const faults = faultsOf((file) => {
    return linksIn(file).filter((link) => {
      const [path = ''] = link.replace(EXAMPLE_BOARD, '').split(/[?#]/);
      if (link.startsWith('#') || path === '') return false;
      // The last two add a server to an editor.
      if (/^(?:https?|mailto|vscode|cursor):/.test(path)) return false;
      if (/^\/docs\/(?!search)/.test(path)) return !known.has(path);
      return !path.startsWith('/') || ROUTE_TABLE.find(path) === null;
    });
  });
  expect(faults).toEqual([]);
});

test('columns of tables are not aligned, which takes styles that the board does not allow', () => {
  expect(faultsOf(({ text }) => text.match(/^ *\|[ -]*:-.*$|^ *\|.*-: *\|.*$/gm) ?? [])).toEqual(
    [],
  );
});
