/** Helpers to search and change a page's tree. */
import type { Element, ElementContent, Nodes, Text } from 'hast';

export function isElement(node: Nodes | ElementContent): node is Element {
  return node.type === 'element';
}

export function elementOf(tagName: string, children: ElementContent[]): Element {
  return { type: 'element', tagName, properties: {}, children };
}

export function hasClass({ properties }: Element, name: string): boolean {
  const { className } = properties;
  return Array.isArray(className) && className.includes(name);
}

/** Returns whether a descendant of an element matches. */
export function has(element: Element, isSuch: (inside: Element) => boolean): boolean {
  return element.children.some(
    (child) => isElement(child) && (isSuch(child) || has(child, isSuch)),
  );
}

/** Returns the first matching element of a tree, in document order. */
export function find(
  nodes: readonly Nodes[],
  isSuch: (element: Element) => boolean,
): Element | null {
  for (const node of nodes) {
    if (isElement(node) && isSuch(node)) return node;
    const found = 'children' in node ? find(node.children, isSuch) : null;
    if (found) return found;
  }
  return null;
}

/** Returns the texts of a tree, in document order. Code, in which spaces matter, counts as one detached text. */
export function textsIn(nodes: readonly ElementContent[]): Text[] {
  return nodes.flatMap((node) => {
    if (node.type === 'text') return [node];
    if (!isElement(node)) return [];
    return /^(?:code|pre)$/.test(node.tagName) ? [textOf(textIn(node))] : textsIn(node.children);
  });
}

/** Returns all text inside a node, unchanged. */
export function textIn(node: Nodes): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(textIn).join('') : '';
}

/** Elements that are part of a line of text. */
const INLINE = /^(?:a|abbr|b|bdi|cite|code|dfn|em|i|kbd|small|span|strong|sub|sup|time)$/;

/**
 * Moves spaces at an element's ends outside it, because Markdown's marks must touch the text that they enclose. The
 * children must already be processed and joined.
 */
export function withSpaceOutside(element: Element): ElementContent[] {
  const { tagName, children } = element;
  if (!INLINE.test(tagName)) return [element];
  const before = spaceAt(children.at(0), /^\s+/);
  const rest = before === '' ? children : [withoutSpace(children[0], /^\s+/), ...children.slice(1)];
  const after = spaceAt(rest.at(-1), /\s+$/);
  const kept = after === '' ? rest : [...rest.slice(0, -1), withoutSpace(rest.at(-1), /\s+$/)];
  return joined([textOf(before), { ...element, children: joined(kept) }, textOf(after)]);
}

/** Returns the nodes without empty texts, and with adjacent texts merged. */
export function joined(nodes: readonly ElementContent[]): ElementContent[] {
  const all: ElementContent[] = [];
  for (const node of nodes) {
    const last = all.at(-1);
    if (node.type !== 'text') all.push(node);
    else if (last?.type === 'text') all[all.length - 1] = textOf(last.value + node.value);
    else if (node.value !== '') all.push(node);
  }
  return all;
}

export function textOf(value: string): Text {
  return { type: 'text', value };
}

function spaceAt(node: ElementContent | undefined, end: RegExp): string {
  return node?.type === 'text' ? (end.exec(node.value)?.[0] ?? '') : '';
}

function withoutSpace(node: ElementContent | undefined, end: RegExp): Text {
  return textOf(node?.type === 'text' ? node.value.replace(end, '') : '');
}

/** Returns an element's children without space at both ends. */
export function trimmed({ children }: Element): ElementContent[] {
  return joined(
    children.map((child, at) => {
      if (child.type !== 'text') return child;
      const start = at === 0 ? child.value.trimStart() : child.value;
      return textOf(at === children.length - 1 ? start.trimEnd() : start);
    }),
  );
}

/** Joins parts with a separator. */
export function between(mark: string, parts: readonly ElementContent[][]): ElementContent[] {
  return parts.flatMap((part, at) => (at === 0 ? part : [textOf(mark), ...part]));
}

/** Classes of content that only narrow screens show, as a second line of a cell. Wide screens have a column for it. */
export const NARROW = ['moved', 'phone'] as const;

/** The class of the interval that follows a value. */
export const INTERVAL = 'interval';
