/** What the documentation lists about tools. The texts are Markdown in one line. */
import { readers } from './readers.ts';
import { uncountedTools } from './uncounted.ts';

interface ToolTable {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

const byName = [...readers].sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** The tables by name. */
export const toolTables: Readonly<Record<'tools' | 'missing' | 'uncounted', ToolTable>> = {
  tools: {
    head: ['Tool', 'Default folder', 'Variables'],
    rows: byName.map(({ name, variables, mapping }) => {
      return [name, mapping.logs, variables.map((variable) => `\`${variable}\``).join(', ')];
    }),
  },
  missing: {
    head: ['Tool', 'Not counted'],
    rows: byName.map(({ name, mapping }) => [name, mapping.missing]),
  },
  uncounted: {
    head: ['Assistant', 'Why'],
    rows: uncountedTools.map(({ name, reason }) => [name, reason]),
  },
};
