/** Texts that are written as Markdown, as the parts that pages show. */

/** A paragraph, with what `Words.astro` shows in it, or something that is no paragraph. */
export type TextBlock =
  | string
  | { heading: string; id: string | undefined }
  /** A paragraph beside the matter, which Markdown has between `<small>` and `</small>`. */
  | { small: string }
  | { steps: readonly string[] }
  | { items: readonly string[] }
  | { code: readonly string[] }
  /** Rows of a table: a name in code, what it may be, and what it means. */
  | { terms: readonly (readonly string[])[] }
  /** What the page knows by this name: commands, or fields, which a summary folds away if there is one. */
  | { commands: string }
  | { fields: string; summary: string | null }
  | { show: string };

export interface TextSection {
  id: string;
  title: string;
  /** What the section comes to, which Markdown has as a quotation at its begin. */
  result?: string;
  blocks: readonly TextBlock[];
}

/** What a text says of this board, by the names that stand for it between `{{` and `}}`. */
type TextFacts = Readonly<Record<string, number | string>>;

/**
 * The parts below headings that name their anchors: `## Title {#id}`.
 *
 * @throws {Error} if the text names a fact that is not given.
 */
export function sectionsIn(source: string, facts: TextFacts = {}): TextSection[] {
  const text = source.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const fact = facts[name];
    if (fact === undefined) throw new Error(`A text names an unknown fact: ${name}`);
    return String(fact);
  });
  return text.split(/^## /m).slice(1).map(sectionOf);
}

/** The titles of a text's sections, by their anchors. */
export function titlesIn(source: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...source.matchAll(/^## (.+) \{#(.+)\}$/gm)].map(([, title, id]) => [id, title]),
  );
}

function sectionOf(text: string): TextSection {
  const [heading = '', ...blocks] = text.trim().split(/\n{2,}/);
  const [, title = '', id = ''] = /^(.+) \{#(.+)\}$/.exec(heading) ?? [];
  if (!blocks[0]?.startsWith('> ')) return { id, title, blocks: blocks.map(blockOf) };
  const [result, ...rest] = blocks;
  return { id, title, result: result.slice(2), blocks: rest.map(blockOf) };
}

/** What a comment names, and the page shows in its place. */
function placeOf(text: string): TextBlock | null {
  const [, kind, name = '', summary = null] =
    /^<!-- (commands|fields|show): ([\w-]+)(?:, (.+))? -->$/.exec(text) ?? [];
  if (kind === 'show') return { show: name };
  if (kind === 'commands') return { commands: name };
  return kind === undefined ? null : { fields: name, summary };
}

function headingOf(text: string): TextBlock | null {
  const [, heading, id] = /^### (.+?)(?: \{#(.+)\})?$/.exec(text) ?? [];
  return heading === undefined ? null : { heading, id };
}

function blockOf(text: string): TextBlock {
  const lines = text.split('\n');
  const marked = placeOf(text) ?? headingOf(text);
  if (marked) return marked;
  const [, small] = /^<small>(.+)<\/small>$/.exec(text) ?? [];
  if (small !== undefined) return { small };
  if (text.startsWith('```')) return { code: lines.slice(1, -1) };
  if (text.startsWith('| ')) return { terms: lines.slice(2).map(cellsIn) };
  if (text.startsWith('1. ')) return { steps: lines.map((line) => line.replace(/^\d+\. /, '')) };
  if (text.startsWith('- ')) return { items: lines.map((line) => line.slice(2)) };
  return text;
}

function cellsIn(row: string): string[] {
  return row
    .slice(2, -2)
    .trimEnd()
    .split(/ +\| +/);
}

/** The cells of a section's table, without its head. */
export function rowsOf(section: TextSection | undefined): readonly (readonly string[])[] {
  const [table] = section?.blocks ?? [];
  return typeof table === 'object' && 'terms' in table ? table.terms : [];
}
