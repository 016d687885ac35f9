/** Finds words in the documentation, in what each heading stands over. */
import { type DocsPage, type DocsSection, EXAMPLE_BOARD, fullTitle } from './docs-navigation.ts';

/** The longest query, in characters; what is beyond is ignored. */
export const MAX_QUERY = 100;
export const MAX_RESULTS = 20;
const MAX_WORDS = 8;
/** About as long as two lines, in characters. */
const EXCERPT_LENGTH = 200;

/** A piece of text, which is one of the words that were searched for or not. */
export interface Marked {
  text: string;
  isMark: boolean;
}

export interface DocsResult {
  title: string;
  /** The heading, where it is not the page's own. */
  heading: string | null;
  href: string;
  excerpt: readonly Marked[];
}

interface Passage {
  page: DocsPage;
  heading: string | null;
  href: string;
  text: string;
  /** Title, heading and text to search in. */
  searched: Readonly<Record<'title' | 'heading' | 'text', string>>;
}

export type DocsIndex = readonly Passage[];

/** The pages in their order; those without `html` are found by title and summary. */
export function docsIndex(sections: readonly DocsSection[], baseUrl: string): DocsIndex {
  const pages: readonly (DocsPage & { html?: string })[] = sections.flatMap((each) => each.pages);
  return pages.flatMap((page) => {
    const html = (page.html ?? '').replaceAll(EXAMPLE_BOARD, baseUrl);
    const [opening = '', ...rest] = html.split(/(?=<h[23] id=")/);
    const named = { ...page, title: fullTitle(page, sections) };
    const first = passageOf(named, null, `${page.summary} ${textOf(opening)}`);
    return [first, ...rest.map((part) => headedPassage(named, part))];
  });
}

/**
 * The passages in which every word of a query begins a word, the best first: words in titles count more than words in
 * headings, and these more than words in the text.
 */
export function searchDocs(index: DocsIndex, query: string): DocsResult[] {
  const words = wordsIn(query.slice(0, MAX_QUERY));
  if (words.length === 0) return [];
  const patterns = words.map((word) => patternOf([word], 'g'));
  const scored = index.map((passage) => ({ passage, score: scoreOf(passage, patterns) }));
  const found = scored.filter(({ score }) => score > 0).toSorted((a, b) => b.score - a.score);
  return found.slice(0, MAX_RESULTS).map(({ passage: { page, heading, href, text } }) => {
    return { title: page.title, heading, href, excerpt: excerptOf(text, patternOf(words, 'g')) };
  });
}

function headedPassage(page: DocsPage, html: string): Passage {
  const [, id = '', heading = '', text = ''] =
    /^<h[23] id="([^"]+)">(.*?)<\/h[23]>(.*)$/s.exec(html) ?? [];
  return passageOf(page, { id, text: textOf(heading) }, textOf(text));
}

function passageOf(
  page: DocsPage,
  heading: { id: string; text: string } | null,
  text: string,
): Passage {
  const searched = {
    title: folded(page.title),
    heading: folded(heading?.text ?? ''),
    text: folded(text),
  };
  const href = heading === null ? page.path : `${page.path}#${heading.id}`;
  return { page, heading: heading?.text ?? null, href, text: text.trim(), searched };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

function textOf(html: string): string {
  const text = html.replaceAll(/<[^>]+>/g, (tag) =>
    /^<\/?(?:a|code|em|strong)\b/.test(tag) ? '' : ' ',
  );
  return text
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, ' ');
}

/** Letters in one form, so that capitals do not matter. */
function folded(text: string): string {
  return text.toLowerCase();
}

function wordsIn(query: string): string[] {
  return [...new Set(folded(query).match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, MAX_WORDS);
}

/** Finds where one of the words begins a word. */
function patternOf(words: readonly string[], flags: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})`, `${flags}iu`);
}

/** 0 unless all words are found, and one of them below the page's title. */
function scoreOf({ heading, searched }: Passage, patterns: readonly RegExp[]): number {
  const scores = patterns.map((pattern) => {
    const title = 20 * countIn(searched.title, pattern);
    const below =
      10 * countIn(searched.heading, pattern) + Math.min(5, countIn(searched.text, pattern));
    return { title, below };
  });
  const isFound = scores.every(({ title, below }) => title + below > 0);
  const isBelow = heading === null || scores.some(({ below }) => below > 0);
  return isFound && isBelow ? scores.reduce((sum, { title, below }) => sum + title + below, 0) : 0;
}

function countIn(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** The text around the first of the words, cut between words. */
function excerptOf(text: string, pattern: RegExp): Marked[] {
  const first = Math.max(0, text.search(pattern));
  const from = first < EXCERPT_LENGTH / 2 ? 0 : text.indexOf(' ', first - EXCERPT_LENGTH / 2) + 1;
  const whole = text.length <= from + EXCERPT_LENGTH;
  const to = whole ? text.length : text.lastIndexOf(' ', from + EXCERPT_LENGTH);
  const cut = text.slice(from, to > from ? to : from + EXCERPT_LENGTH);
  const shown = (from > 0 ? '… ' : '') + cut + (whole ? '' : ' …');
  const marks = [...shown.matchAll(pattern)];
  const pieces = marks.flatMap(({ index, 0: mark }, at) => {
    const before = marks[at - 1];
    const start = before === undefined ? 0 : before.index + before[0].length;
    return [
      { text: shown.slice(start, index), isMark: false },
      { text: mark, isMark: true },
    ];
  });
  const last = marks.at(-1);
  const rest = shown.slice(last === undefined ? 0 : last.index + last[0].length);
  return [...pieces, { text: rest, isMark: false }].filter(({ text: piece }) => piece !== '');
}
