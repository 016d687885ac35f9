/** The llms.txt file, which introduces the board to agents. */
import { LLMS_SECTIONS, type RouteTable } from '#core/contract/route-table.ts';

export interface LlmsTxt {
  /** The board's name. */
  title: string;
  /** A short description. */
  summary: string;
  /** General facts in Markdown, one or a few sentences each. */
  facts: readonly string[];
  sections: readonly LlmsSection[];
}

interface LlmsSection {
  title: string;
  links: readonly LlmsLink[];
}

/** Contains only our own texts. Texts of others may appear in title and summary only. */
export interface LlmsLink {
  /** Without brackets. */
  title: string;
  /** A path from the root, without parentheses. */
  path: string;
  /** A short description of the target. */
  about: string;
}

/**
 * The links to all listed routes, to the Markdown version if there is one.
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
 * The text of `/llms.txt`: a title, a summary, facts, then lists of links. Readers may skip the section called
 * Optional.
 *
 * @param baseUrl The base of all links.
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

/** An admin's text as one line of Markdown without markup. */
function asText(words: string): string {
  return words
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>#|]/g, '\\$&');
}
