/** Converts definition lists, which Markdown lacks, to lists whose items begin with the term. */
import type { Element, ElementContent } from 'hast';
import { between, elementOf, has, isElement, joined, textIn, textOf, trimmed } from './tree.ts';

/** Elements that begin on a new line. */
const BLOCK = /^(?:article|blockquote|details|div|dl|figure|h[1-6]|ol|p|pre|section|table|ul)$/;

/** Converts a `dl` to a list. Its terms and descriptions may be grouped in `div` elements. */
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

/** The title and description of a drawing; empty if it has neither. */
export function drawingText({ properties, children }: Element): ElementContent[] {
  const label = properties['ariaLabel'];
  const told = ['title', 'desc'].map((name) => {
    const element = children.find((child) => isElement(child) && child.tagName === name);
    return element ? textIn(element).trim() : '';
  });
  const sentences = [typeof label === 'string' ? label.trim() : '', ...told].filter(Boolean);
  if (sentences.length === 0) return [];
  return [elementOf('span', [textOf(sentences.map(asSentence).join(' '))])];
}

function asSentence(text: string): string {
  return /[.!?:]$/.test(text) ? text : `${text}.`;
}

const ITEM = /^(?:a|bdi|code|span|time)$/;

/** Text that needs no separator: one that ends with punctuation, begins with it, or is wholly in brackets. */
const ENDED = /[\s(,.:;!?/]$|^$/;
const BEGUN = /^[\s),.:;!?/]|^\([^()]*\)$|^$/;

/** Returns the nodes with a separator between items that have at most space between them. */
export function itemised(nodes: readonly ElementContent[]): ElementContent[] {
  const all: ElementContent[] = [];
  for (const node of nodes) {
    const isApart = isBlank(all.at(-1));
    if (arePair(all.at(isApart ? -2 : -1), node)) {
      if (isApart) all.pop();
      all.push(textOf('; '));
    }
    all.push(node);
  }
  return all;
}

function isBlank(node: ElementContent | undefined): boolean {
  return node?.type === 'text' && node.value.trim() === '';
}

function arePair(item: ElementContent | undefined, next: ElementContent): boolean {
  if (!item || !isItem(item) || !isItem(next)) return false;
  return !ENDED.test(textIn(item)) && !BEGUN.test(textIn(next));
}

function isItem(node: ElementContent): boolean {
  return isElement(node) && ITEM.test(node.tagName);
}
