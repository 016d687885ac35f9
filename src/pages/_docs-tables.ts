/** The tables about tools in the documentation, from the readers of their logs. */
import { type DocsTables, tableHtml } from '#components/docs/docs-tables.ts';
import { readers } from '#core/readers/readers.ts';
import { uncountedTools } from '#core/readers/uncounted.ts';

const byName = [...readers].sort((a, b) => a.name.localeCompare(b.name, 'en'));

export const DOCS_TABLES: DocsTables = {
  tools: tableHtml(
    ['Tool', 'Default folder', 'Variables'],
    byName.map(({ name, variables, mapping }) => {
      return [name, mapping.logs, variables.map((variable) => `\`${variable}\``).join(', ')];
    }),
  ),
  missing: tableHtml(
    ['Tool', 'Not counted'],
    byName.map(({ name, mapping }) => [name, mapping.missing]),
  ),
  uncounted: tableHtml(
    ['Assistant', 'Why'],
    uncountedTools.map(({ name, reason }) => [name, reason]),
  ),
};
