/** Tables that hold more than lines of text do. */
import type { Element, ElementContent } from 'hast';
import { between, hasClass, isElement, textIn, textOf, trimmed } from './tree.ts';

/** What stands below the other inside a cell of a page. */
const LINE = /^(?:div|li|ol|p|ul)$/;

/** A cell in the one line that Markdown has for it: what stood below each other, after each other. */
export function inOneLine(cell: Element): Element {
  return { ...cell, children: between('; ', linesOf(cell)) };
}

function linesOf(element: Element): ElementContent[][] {
  const lines: ElementContent[][] = [[]];
  for (const child of trimmed(element)) {
    const last = lines.at(-1)?.at(-1);
    if (isElement(child) && LINE.test(child.tagName)) lines.push(...linesOf(child), []);
    // What touches without a space stands below the other too.
    else if (isSpan(last) && isSpan(child)) lines.push([child]);
    else
      lines
        .at(-1)
        ?.push(isElement(child) && hasClass(child, 'interval') ? bracketed(child) : child);
  }
  return lines.filter((line) => line.some((node) => textIn(node).trim() !== ''));
}

function isSpan(node: ElementContent | undefined): boolean {
  return node?.type === 'element' && node.tagName === 'span';
}

/** How sure a value is, after it. */
function bracketed(interval: Element): Element {
  return { ...interval, children: [textOf('('), ...trimmed(interval), textOf(')')] };
}

const CELL = /^t[dh]$/;

/** A table without the columns in which no row below the head has a text. Tables with merged cells stay as they are. */
export function withoutEmptyColumns(table: Element): Element {
  const rows = rowsOf(table, ['tbody']);
  const isMerged = rows.some((row) => cellsOf(row).some(({ properties }) => properties['colSpan']));
  if (rows.length === 0 || isMerged) return table;
  const columns = Math.max(...rows.map((row) => cellsOf(row).length));
  const empty = Array.from({ length: columns }, (_, column) => {
    return rows.every((row) => isEmpty(cellsOf(row)[column]));
  });
  return empty.includes(true) ? mapRows(table, (row) => without(row, empty)) : table;
}

function rowsOf(table: Element, parts: readonly string[]): Element[] {
  const bodies = table.children.filter(isElement).filter(({ tagName }) => parts.includes(tagName));
  return bodies.flatMap(({ children }) => children.filter(isElement));
}

function cellsOf(row: Element): Element[] {
  return row.children.filter(isElement).filter(({ tagName }) => CELL.test(tagName));
}

function isEmpty(cell: Element | undefined): boolean {
  return cell === undefined || textIn(cell).trim() === '';
}

function mapRows(element: Element, map: (row: Element) => Element): Element {
  const children = element.children.map((child): ElementContent => {
    if (!isElement(child)) return child;
    return child.tagName === 'tr' ? map(child) : mapRows(child, map);
  });
  return { ...element, children };
}

function without(row: Element, empty: readonly boolean[]): Element {
  let column = -1;
  const children = row.children.filter((child) => {
    if (!isElement(child) || !CELL.test(child.tagName)) return true;
    column += 1;
    return !empty[column];
  });
  return { ...row, children };
}
