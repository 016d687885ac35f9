/**
 * Sorts the rows of a page by a column. The heads become buttons only with the script, and the order of the ranks is
 * one click away.
 *
 * @module
 */
import { find, findAll, makeButton } from './dom.ts';

export function makeSortable(): void {
  const table = find<HTMLTableElement>('[data-sortable]');
  const status = find('[data-sorted]');
  if (table && status) sortable(table, status);
}

/** The first number of a cell; none sorts last. */
function numberIn(row: HTMLTableRowElement, column: number): number {
  const text = row.cells[column]?.innerText.replaceAll(',', '') ?? '';
  const [found] = /-?\d+(\.\d+)?(e-?\d+)?/.exec(text) ?? [];
  return Number(found ?? -Infinity) * (text.includes('↓') ? -1 : 1);
}

function sortable(table: HTMLTableElement, status: HTMLElement): void {
  const [body] = table.tBodies;
  const heads = findAll<HTMLTableCellElement>('thead th', table);
  const ranked = find('[aria-sort]', table);
  const inRanks = [...(body?.rows ?? [])];

  const show = (rows: readonly HTMLTableRowElement[], by: HTMLElement | null, text: string) => {
    body?.append(...rows);
    for (const head of heads) head.ariaSort = head === by ? 'descending' : null;
    status.textContent = text;
  };
  const sortBy = (head: HTMLTableCellElement, name: string) => {
    const column = head.cellIndex;
    show(
      inRanks.toSorted((a, b) => numberIn(b, column) - numberIn(a, column)),
      head,
      `The rows of this page, sorted by ${name}. This is not the ranking. `,
    );
    status.append(makeButton('Sort by rank', () => show(inRanks, ranked, '')));
  };

  for (const head of heads) {
    if (!head.matches('.num:not(.rank, [aria-sort])')) continue;
    const name = head.textContent.trim();
    head.replaceChildren(makeButton(name, () => sortBy(head, name.toLowerCase())));
  }
}
