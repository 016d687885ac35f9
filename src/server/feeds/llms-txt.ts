/** What agents read first: what the board is, and where what stands, in the format of llms.txt. */
import { LLMS_SECTIONS, type RouteTable } from '#core/contract/route-table.ts';

export interface LlmsTxt {
  /** The board's name. */
  title: string;
  /** What it is, in one sentence or a few. */
  summary: string;
  /** What holds for all of it, a sentence or a few each; Markdown. */
  facts: readonly string[];
  sections: readonly LlmsSection[];
}

interface LlmsSection {
  title: string;
  links: readonly LlmsLink[];
}

/** Its texts are our own: what a stranger wrote may stand in title and summary only. */
export interface LlmsLink {
  /** Without brackets. */
  title: string;
  /** From the root, without parentheses. */
  path: string;
  /** What is found there. */
  about: string;
}

/**
 * The links to all routes that llms.txt lists: to pages as Markdown.
 *
 * @param linksOf The links to routes with parameters, by path.
 */
export function llmsSections(
  table: RouteTable,
  linksOf: Readonly<Record<string, readonly LlmsLink[]>>,
): LlmsSection[] {
  return LLMS_SECTIONS.map((title) => {
    const listed = table.routes.filter(({ llms }) => llms?.section === title);
    const links = listed.flatMap(({ path, llms }) => {
      return linksOf[path] ?? [{ title: llms?.title ?? path, path, about: llms?.about ?? '' }];
    });
    const asMarkdown = links.map((link) => ({
      ...link,
      path: table.markdownPath(link.path) ?? link.path,
    }));
    return { title, links: asMarkdown };
  });
}

/**
 * The text of `/llms.txt`: a title, a summary, facts, then lists of links and nothing else. Who only needs
 * the most important may leave out the section called Optional.
 *
 * @param baseUrl Where links begin.
 * @see {@link https://llmstxt.org | The format}
 */
export function llmsTxt({ title, summary, facts, sections }: LlmsTxt, baseUrl: string): string {
  const head = [`# ${asText(title)}`, '', `> ${asText(summary)}`, ''];
  const lists = sections.flatMap(({ title: name, links }) => {
    const items = links.map((link) => `- [${link.title}](${baseUrl}${link.path}): ${link.about}`);
    return ['', `## ${name}`, '', ...items];
  });
  return [...head, ...facts.map((fact) => `- ${fact}`), ...lists, ''].join('\n');
}

/** An admin's words as one line of Markdown that says them and does nothing. */
function asText(words: string): string {
  return words
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>#|]/g, '\\$&');
}
