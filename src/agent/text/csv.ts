/** Tables as CSV (RFC 4180). The program has no dependencies, so this does not use the library of the server. */

export type CsvCell = number | string | null;

/** Text that spreadsheets would run as a formula. */
const FORMULA = /^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/;

/**
 * A table as CSV with a header line, each line ending with CR LF. Null is an empty cell. Text that spreadsheets would
 * run as a formula gets a leading apostrophe.
 */
export function csvText(head: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [head, ...rows].map((cells) => `${cells.map(cellText).join(',')}\r\n`).join('');
}

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
