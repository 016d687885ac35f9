/** Lists of terms, which Markdown does not have, as lists of items that begin with the term. */
import type { Element } from 'hast';
import { between, elementOf, has, isElement, joined, textOf, trimmed } from './tree.ts';

/** Elements that stand below each other. */
const BLOCK = /^(?:article|blockquote|details|div|dl|figure|h[1-6]|ol|p|pre|section|table|ul)$/;

/** A `dl`, its terms and what is said of them perhaps in pairs inside `div`, as a list. */
export function definitions({ children }: Element): Element {
  const parts = children.flatMap((child) => {
    return isElement(child) && child.tagName === 'div' ? child.children : [child];
  });
  const items: Element[][] = [];
  for (const part of parts.filter(isElement)) {
    const item = items.at(-1);
    const isNext = part.tagName === 'dt' && item?.at(-1)?.tagName !== 'dt';
    if (item && !isNext) item.push(part);
    else items.push([part]);
  }
  return elementOf('ul', items.map(itemOf));
}

function itemOf(parts: readonly Element[]): Element {
  const terms = parts.filter(({ tagName }) => tagName === 'dt');
  const told = parts.filter(({ tagName }) => tagName !== 'dt');
  const head = between(
    ', ',
    terms.map(trimmed).map((term) => [elementOf('strong', term)]),
  );
  const lines = told.filter((part) => !isBlock(part)).map(trimmed);
  const blocks = told.filter(isBlock).flatMap(({ children }) => children);
  const line = [...head, textOf(': '), ...between('; ', lines)];
  if (blocks.length === 0) return elementOf('li', joined(line));
  return elementOf('li', [elementOf('p', joined(line)), ...blocks]);
}

function isBlock(part: Element): boolean {
  return has(part, ({ tagName }) => BLOCK.test(tagName));
}
