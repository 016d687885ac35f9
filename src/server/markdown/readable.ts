/** Reduces a page's tree to readable content, in shapes that Markdown has. */
import type { Element, ElementContent, Text } from 'hast';
import { definitions, drawingText, itemised } from './lists.ts';
import { inOneLine, withGroupsAsColumn, withoutEmptyColumns } from './cells.ts';
import {
  NARROW,
  elementOf,
  has,
  hasClass,
  isElement,
  joined,
  textOf,
  textsIn,
  trimmed,
  withSpaceOutside,
} from './tree.ts';

/** Elements that are meaningless as text. */
const UNREADABLE =
  /^(?:button|datalist|dialog|form|iframe|input|link|meta|noscript|script|select|style|template|textarea)$/;

/** Elements whose children are kept unchanged, or are separated within their table cell. */
const VERBATIM = /^(?:code|pre|t[dh])$/;

/** Returns the readable part of a page's nodes. */
export function readable(nodes: readonly ElementContent[]): ElementContent[] {
  const kept = readableIn(nodes);
  withoutSpaceBeforeCommas(textsIn(kept));
  return kept;
}

function readableIn(nodes: readonly ElementContent[]): ElementContent[] {
  return joined(
    nodes.flatMap((node) => {
      if (node.type === 'text') return [textOf(node.value)];
      return isElement(node) && !isLeftOut(node) ? readableElement(node) : [];
    }),
  );
}

/** The source has spaces that a browser collapses. */
function withoutSpaceBeforeCommas(texts: readonly Text[]): void {
  texts.forEach((text, at) => {
    if (!/^\s*[,;]/.test(text.value)) return;
    text.value = text.value.trimStart();
    for (let before = at - 1; before >= 0; before -= 1) {
      const earlier = texts[before] as Text;
      earlier.value = earlier.value.trimEnd();
      if (earlier.value !== '') return;
    }
  });
}

function isLeftOut(element: Element): boolean {
  const { tagName, properties } = element;
  if (UNREADABLE.test(tagName)) return true;
  if (properties['hidden'] !== undefined || properties['ariaHidden'] === 'true') return true;
  if (properties['dataScreenOnly'] !== undefined) return true;
  // Text that explains a drawing to viewers repeats the drawing's own description.
  if (properties['dataDrawing'] !== undefined) return true;
  if (properties['dataYourRank'] !== undefined || NARROW.some((name) => hasClass(element, name))) {
    return true;
  }
  if (tagName === 'nav') return !has(element, isStep);
  return tagName === 'details' && has(element, ({ tagName: inside }) => inside === 'form');
}

/** Of all navigation, only the steps through a list belong to the content. */
function isStep({ tagName, properties }: Element): boolean {
  const { rel } = properties;
  return (
    tagName === 'a' && Array.isArray(rel) && rel.some((kind) => /^(?:next|prev)$/.test(`${kind}`))
  );
}

function readableElement(element: Element): ElementContent[] {
  const { tagName, properties } = element;
  if (tagName === 'svg') return drawingText(element);
  if (tagName === 'img' && !properties['alt']) return [];
  // A title is only a tooltip.
  const kept = { ...properties, title: undefined };
  const read = readableIn(element.children);
  const children = VERBATIM.test(tagName) ? read : itemised(read);
  return (SHAPES[tagName] ?? withSpaceOutside)({ ...element, properties: kept, children });
}

/** How elements without a Markdown equivalent are converted. */
const SHAPES: Readonly<Record<string, (element: Element) => ElementContent[]>> = {
  dl: (list) => [definitions(list)],
  section: (section) => (saysNothing(section) ? [] : [section]),
  summary: (summary) => [{ ...summary, children: [elementOf('strong', trimmed(summary))] }],
  table: (table) => captioned(withGroupsAsColumn(withoutEmptyColumns(table))),
  td: (cell) => [inOneLine(cell)],
  th: (cell) => [inOneLine(cell)],
};

/** Whether only headings remain, for example from a form. */
function saysNothing({ children }: Element): boolean {
  return children.every((child) => {
    if (!isElement(child)) return child.type !== 'text' || child.value.trim() === '';
    return /^h\d$/.test(child.tagName) || (child.tagName !== 'img' && saysNothing(child));
  });
}

/** Markdown tables have no caption, so it becomes a paragraph before the table. */
function captioned(table: Element): ElementContent[] {
  const isCaption = (node: ElementContent) => isElement(node) && node.tagName === 'caption';
  const captions = table.children.filter(isCaption) as Element[];
  const rest = table.children.filter((node) => !isCaption(node));
  const told = captions.map(({ children }) => elementOf('div', children));
  return [...told, { ...table, children: rest }];
}

/** The classes of the pages that the conversion goes by. */
