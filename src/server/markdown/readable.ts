/** A page's tree without what only a browser needs, in shapes that Markdown has. */
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

/** Elements of which a reader of text has nothing. */
const UNREADABLE =
  /^(?:button|datalist|dialog|form|iframe|input|link|meta|noscript|script|select|style|template|textarea)$/;

/** Elements whose children stand as they are, or are parted with what else stands in their cell. */
const VERBATIM = /^(?:code|pre|t[dh])$/;

/** What is left of a page's nodes for who reads text. */
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

/** Pages are laid out with spaces that a browser shows nothing of. */
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
  // What explains a drawing to who sees it tells nothing beside what the drawing says of itself.
  if (properties['dataDrawing'] !== undefined) return true;
  if (properties['dataYourRank'] !== undefined || NARROW.some((name) => hasClass(element, name))) {
    return true;
  }
  if (tagName === 'nav') return !has(element, isStep);
  return tagName === 'details' && has(element, ({ tagName: inside }) => inside === 'form');
}

/** Of navigation only the steps through a list are part of what the page tells. */
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
  // A title is a hint for who points at something.
  const kept = { ...properties, title: undefined };
  const read = readableIn(element.children);
  const children = VERBATIM.test(tagName) ? read : itemised(read);
  return (SHAPES[tagName] ?? withSpaceOutside)({ ...element, properties: kept, children });
}

/** What becomes of elements that Markdown has none for. */
const SHAPES: Readonly<Record<string, (element: Element) => ElementContent[]>> = {
  dl: (list) => [definitions(list)],
  section: (section) => (saysNothing(section) ? [] : [section]),
  summary: (summary) => [{ ...summary, children: [elementOf('strong', trimmed(summary))] }],
  table: (table) => captioned(withGroupsAsColumn(withoutEmptyColumns(table))),
  td: (cell) => [inOneLine(cell)],
  th: (cell) => [inOneLine(cell)],
};

/** Whether nothing but headings is left, as of a part that was a form. */
function saysNothing({ children }: Element): boolean {
  return children.every((child) => {
    if (!isElement(child)) return child.type !== 'text' || child.value.trim() === '';
    return /^h\d$/.test(child.tagName) || (child.tagName !== 'img' && saysNothing(child));
  });
}

/** Markdown's tables have no caption: it stands before them. */
function captioned(table: Element): ElementContent[] {
  const isCaption = (node: ElementContent) => isElement(node) && node.tagName === 'caption';
  const captions = table.children.filter(isCaption) as Element[];
  const rest = table.children.filter((node) => !isCaption(node));
  const told = captions.map(({ children }) => elementOf('div', children));
  return [...told, { ...table, children: rest }];
}

/** The classes of the pages that the conversion goes by. */
