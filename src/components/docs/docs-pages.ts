/** The Markdown files of the documentation, as the build rendered them. */
import type { MarkdownHeading } from 'astro';
import { getCollection } from 'astro:content';
import {
  type DocsPage,
  type DocsSection,
  type DocsSectionId,
  SITE_PAGES,
  inSections,
} from './docs-navigation.ts';
import { type DocsIndex, docsIndex } from './docs-search.ts';
import { type DocsTables, withTables } from './docs-tables.ts';

export interface DocsText extends DocsPage {
  /** With `EXAMPLE_BOARD` in place of the board's address. */
  html: string;
  /** The titles of its second-level headings, by their anchors. */
  headings: Readonly<Record<string, string>>;
}

let texts: Promise<readonly DocsText[]> | undefined;
let sections: Promise<readonly DocsSection[]> | undefined;
let index: Promise<DocsIndex> | undefined;

export function docsTexts(): Promise<readonly DocsText[]> {
  return (texts ??= readTexts());
}

export function docsSections(): Promise<readonly DocsSection[]> {
  return (sections ??= docsTexts().then((all) => inSections([...all, ...SITE_PAGES])));
}

/** The index of all pages of the board with this address; those of the site are in it by title and summary. */
export function docsSearchIndex(baseUrl: string, tables: DocsTables): Promise<DocsIndex> {
  return (index ??= readIndex(baseUrl, tables));
}

async function readIndex(baseUrl: string, tables: DocsTables): Promise<DocsIndex> {
  const filled = (await docsTexts()).map((text) => withTablesOf(text, tables));
  return docsIndex(inSections([...filled, ...SITE_PAGES]), baseUrl);
}

/** The page at an address, if it is a Markdown file. */
export async function docsTextAt(path: string, tables: DocsTables): Promise<DocsText | undefined> {
  const found = (await docsTexts()).find((text) => text.path === path);
  return found && withTablesOf(found, tables);
}

function withTablesOf(text: DocsText, tables: DocsTables): DocsText {
  return { ...text, html: withTables(text.html, tables) };
}

async function readTexts(): Promise<DocsText[]> {
  const entries = await getCollection('docs');
  return entries.map(({ id, data, rendered }) => {
    const headings = (rendered?.metadata?.['headings'] ?? []) as MarkdownHeading[];
    const listed = headings.filter(({ depth }) => depth === 2);
    return {
      ...data,
      section: id.split('/')[0] as DocsSectionId,
      path: `/docs/${id}`,
      html: rendered?.html ?? '',
      headings: Object.fromEntries(listed.map(({ slug, text }) => [slug, text])),
    };
  });
}
