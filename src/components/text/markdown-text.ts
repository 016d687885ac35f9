/** Texts that are written as Markdown, as the parts that pages show. */

/** A paragraph, with code between backticks and links as `[text](address)`, or something that is no paragraph. */
export type TextBlock =
  | string
  | { steps: readonly string[] }
  | { items: readonly string[] }
  | { code: readonly string[] }
  /** Rows of a table: a name in code, what it may be, and what it means. */
  | { terms: readonly (readonly string[])[] }
  /** What the page knows by this name: commands, or fields, which a summary folds away if there is one. */
  | { commands: string }
  | { fields: string; summary: string | null };

export interface TextSection {
  id: string;
  title: string;
  blocks: readonly TextBlock[];
}

/** What a text says of this board, by the names that stand for it between `{{` and `}}`. */
export type TextFacts = Readonly<Record<string, number | string>>;

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

function sectionOf(text: string): TextSection {
  const [heading = '', ...blocks] = text.trim().split(/\n{2,}/);
  const [, title = '', id = ''] = /^(.+) \{#(.+)\}$/.exec(heading) ?? [];
  return { id, title, blocks: blocks.map(blockOf) };
}

function blockOf(text: string): TextBlock {
  const lines = text.split('\n');
  const [, kind, name = '', summary = null] =
    /^<!-- (commands|fields): (\w+)(?:, (.+))? -->$/.exec(text) ?? [];
  if (kind === 'commands') return { commands: name };
  if (kind === 'fields') return { fields: name, summary };
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
