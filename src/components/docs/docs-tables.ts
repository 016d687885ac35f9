/** Tables of the documentation that the page fills in: `<!-- table: NAME -->` in its Markdown. */

/** A table of short texts, with code between backticks. */
interface DocsTable {
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** Tables by name. */
export type DocsTables = Readonly<Record<string, DocsTable>>;

/**
 * Fills in the tables of a page.
 *
 * @throws {Error} if the page names an unknown table.
 */
export function withTables(html: string, tables: DocsTables): string {
  return html.replaceAll(/<!-- table: ([\w-]+) -->/g, (_, name: string) => {
    const table = tables[name];
    if (table === undefined) throw new Error(`A page names an unknown table: ${name}`);
    return tableHtml(table);
  });
}

function tableHtml({ head, rows }: DocsTable): string {
  const headings = head.map((text) => `<th>${inlineHtml(text)}</th>`).join('');
  const lines = rows.map((cells) => {
    return `<tr>${cells.map((text) => `<td>${inlineHtml(text)}</td>`).join('')}</tr>`;
  });
  return `<table><thead><tr>${headings}</tr></thead><tbody>${lines.join('')}</tbody></table>`;
}

function inlineHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}
