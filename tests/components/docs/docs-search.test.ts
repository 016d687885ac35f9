import { expect, test } from 'vitest';
import { type DocsPage, inSections } from '#components/docs/docs-navigation.ts';
import { MAX_QUERY, MAX_RESULTS, docsIndex, searchDocs } from '#components/docs/docs-search.ts';

const BASE_URL = 'https://board.test';

function aPage(page: Partial<DocsPage> & { html?: string }): DocsPage {
  return {
    section: 'run',
    path: '/docs/run/a',
    title: 'A page',
    summary: 'Sums up.',
    order: 1,
    ...page,
  };
}

/** The index of a board with these pages. */
function indexOf(...pages: DocsPage[]) {
  return docsIndex(inSections(pages), BASE_URL);
}

/** What the search answers, as addresses. */
function found(pages: DocsPage[], query: string): string[] {
  return searchDocs(indexOf(...pages), query).map(({ href }) => href);
}

const BACKUPS = aPage({
  path: '/docs/run/backups',
  title: 'Backups',
  html: '<p>Make a copy.</p><h2 id="restore">Restore</h2><p>Stop the board &amp; run <code>opbench-board restore</code>.</p><h3 id="why">Why it stops</h3><p>Because of <em>locks</em>.</p>',
});

test('finds the text under a heading, and links to the heading', () => {
  const [result] = searchDocs(indexOf(BACKUPS), 'locks');

  expect(result).toEqual({
    title: 'Backups',
    heading: 'Why it stops',
    href: '/docs/run/backups#why',
    excerpt: [
      { text: 'Because of ', isMark: false },
      { text: 'locks', isMark: true },
      { text: '.', isMark: false },
    ],
  });
});

test('a title counts more than a heading, and a heading more than text', () => {
  const pages = [
    aPage({ path: '/docs/run/text', html: '<p>You can restore it.</p>' }),
    aPage({ path: '/docs/run/title', title: 'Restore' }),
    BACKUPS,
  ];
  expect(found(pages, 'restore')).toEqual([
    '/docs/run/title',
    '/docs/run/backups#restore',
    '/docs/run/text',
  ]);
});

test.each([
  ['RESTORE stop', ['/docs/run/backups#restore']],
  ['rest', ['/docs/run/backups#restore']],
  ['store', []],
  ['backups locks', ['/docs/run/backups#why']],
  ['backups', ['/docs/run/backups']],
  ['board & run', ['/docs/run/backups#restore']],
  ['strong', []],
  ['', []],
  ['  ', []],
  ['.* [a-z]+ $^', []],
  ['<script>', []],
])('%j finds %j', (query, hrefs) => {
  expect(found([BACKUPS], query).sort()).toEqual([...hrefs].sort());
});

test('finds pages of the site by title and summary', () => {
  const science = aPage({ section: 'how', path: '/science', title: 'Science', summary: 'Limits.' });
  expect(found([science], 'science')).toEqual(['/science']);
  expect(found([science], 'limits')).toEqual(['/science']);
});

test('names the section of a quick start, and shows the address of the board', () => {
  const html =
    '<p>Open <a href="https://bench.example.org/login">https://bench.example.org/login</a>.</p>';
  const start = aPage({ section: 'join', path: '/docs/join', title: 'Quick start', html });
  const [result] = searchDocs(indexOf(start), 'open');

  expect(result?.title).toBe('Join a board: Quick start');
  expect(result?.excerpt.map(({ text }) => text).join('')).toContain('https://board.test/login');
});

test('shows the part of a long text around the first word', () => {
  const html = `<p>${'before '.repeat(200)}needle ${'after '.repeat(200)}</p>`;
  const [result] = searchDocs(indexOf(aPage({ html })), 'needle');
  const text = result?.excerpt.map((piece) => piece.text).join('') ?? '';

  expect(text).toMatch(/^… before .*before needle after .*after …$/);
  expect(text.length).toBeLessThan(220);
  expect(result?.excerpt.filter(({ isMark }) => isMark)).toEqual([
    { text: 'needle', isMark: true },
  ]);
});

test('limits the number of results and the length of the query', () => {
  const pages = Array.from({ length: 50 }, (_, at) => aPage({ path: `/docs/run/p${at}` }));
  expect(found(pages, 'page')).toHaveLength(MAX_RESULTS);
  expect(found(pages, `page${' '.repeat(MAX_QUERY)}missing`)).toHaveLength(MAX_RESULTS);
});
