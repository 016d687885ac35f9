/** What agents read first: what the board is, and where what stands, in the format of llms.txt. */

export interface LlmsTxt {
  /** The board's name. */
  title: string;
  /** What it is, in one sentence or a few. */
  summary: string;
  /** What holds for all of it, a sentence or a few each; Markdown. */
  facts: readonly string[];
  sections: readonly LlmsSection[];
}

export interface LlmsSection {
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

/** A keeper's words as one line of Markdown that says them and does nothing. */
function asText(words: string): string {
  return words
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>#|]/g, '\\$&');
}
