/** Parses texts written in Markdown into the blocks that pages render. */

/** A paragraph, with the inline markup of `Words.astro`, or another block. */
export type TextBlock =
  | string
  | { heading: string; id: string | undefined }
  /** A side note, written between `<small>` and `</small>`. */
  | { small: string }
  | { steps: readonly string[] }
  | { items: readonly string[] }
  | { code: readonly string[] }
  /** Rows of a table: a name in code, its type, and its meaning. */
  | { terms: readonly (readonly string[])[] }
  /** Commands or fields that the page provides under this name. Fields with a summary are collapsed below it. */
  | { commands: string }
  | { fields: string; summary: string | null }
  | { show: string };

export interface TextSection {
  id: string;
  title: string;
  /** The section in short, written as a quotation at its beginning. */
  result?: string;
  blocks: readonly TextBlock[];
}

/** Values for the placeholders of a text, such as `{{board}}`. */
type TextFacts = Readonly<Record<string, number | string>>;

/**
 * Splits a text at headings with anchors: `## Title {#id}`.
 *
 * @throws {Error} if the text has a placeholder without a value.
 */
export function sectionsIn(source: string, facts: TextFacts = {}): TextSection[] {
  const text = source.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const fact = facts[name];
    if (fact === undefined) throw new Error(`A text names an unknown fact: ${name}`);
    return String(fact);
  });
  return text.split(/^## /m).slice(1).map(sectionOf);
}

/** The titles of a text's sections, by anchor. */
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

/** A placeholder comment, which the page replaces; null for other blocks. */
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

/** The rows of a section's table, without its head. */
export function rowsOf(section: TextSection | undefined): readonly (readonly string[])[] {
  const [table] = section?.blocks ?? [];
  return typeof table === 'object' && 'terms' in table ? table.terms : [];
}
