/** Converts table cells and rows that do not fit Markdown's tables. */
import type { Element, ElementContent } from 'hast';
import { itemised } from './lists.ts';
import {
  INTERVAL,
  between,
  elementOf,
  hasClass,
  isElement,
  textIn,
  textOf,
  trimmed,
} from './tree.ts';

/** Elements that begin a new line inside a cell. */
const LINE = /^(?:div|li|ol|p|ul)$/;

/** Puts a cell's lines after each other, because Markdown allows a cell only one line. */
export function inOneLine(cell: Element): Element {
  return { ...cell, children: between('; ', linesOf(cell)) };
}

function linesOf(element: Element): ElementContent[][] {
  const lines: ElementContent[][] = [[]];
  for (const child of trimmed(element)) {
    if (isElement(child) && LINE.test(child.tagName)) lines.push(...linesOf(child), []);
    else lines.at(-1)?.push(...(isInterval(child) ? bracketed(child) : [child]));
  }
  const told = lines.filter((line) => line.some((node) => textIn(node).trim() !== ''));
  return told.map(itemised);
}

/** Puts a value's interval in brackets. */
function bracketed(interval: Element): ElementContent[] {
  return [textOf(' ('), ...trimmed(interval), textOf(')')];
}

function isInterval(node: ElementContent): node is Element {
  return isElement(node) && hasClass(node, INTERVAL);
}

const CELL = /^t[dh]$/;

/** The heading of the column for group headings, which Markdown's tables need. */
const GROUP = 'Case';

/** Repeats a group heading (`th` with `scope="rowgroup"`) as the first cell of each row in its group. */
export function withGroupsAsColumn(table: Element): Element {
  if (!rowsOf(table, ['tbody']).some((row) => groupHead(row))) return table;
  return {
    ...table,
    children: table.children.map((part) => (isElement(part) ? grouped(part) : part)),
  };
}

function grouped(part: Element): Element {
  const isHead = part.tagName === 'thead';
  if (!isHead && part.tagName !== 'tbody') return part;
  let first = elementOf(isHead ? 'th' : 'td', isHead ? [textOf(GROUP)] : []);
  const children = part.children.flatMap((row) => {
    if (!isElement(row) || row.tagName !== 'tr') return [row];
    const head = groupHead(row);
    if (head) first = elementOf('td', head.children);
    return head ? [] : [{ ...row, children: [first, ...row.children] }];
  });
  return { ...part, children };
}

/** Returns the cell of a row that is a group heading; undefined for any other row. */
function groupHead(row: Element): Element | undefined {
  const [cell, ...more] = cellsOf(row);
  return cell?.properties['scope'] === 'rowgroup' && more.length === 0 ? cell : undefined;
}

/** Removes columns that have no text below their heading. Tables with merged cells stay unchanged. */
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
