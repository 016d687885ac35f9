/** Links that lead to the same place wherever the text is read. */
import type { ElementContent, Properties } from 'hast';
import type { Link } from 'mdast';
import type { Options } from 'remark-stringify';
import { isElement } from './tree.ts';

const ADDRESSES = ['href', 'src'] as const;

/** The nodes with absolute links; one that leads to no page, file or mailbox is left as its text. */
export function withAbsoluteLinks(
  nodes: readonly ElementContent[],
  base: string,
): ElementContent[] {
  return nodes.map((node) => {
    if (!isElement(node)) return node;
    const children = withAbsoluteLinks(node.children, base);
    const properties = absolute(node.properties, base);
    const isText = node.tagName === 'a' && properties['href'] === undefined;
    return { ...node, tagName: isText ? 'span' : node.tagName, properties, children };
  });
}

function absolute(properties: Properties, base: string): Properties {
  const told = ADDRESSES.filter((name) => typeof properties[name] === 'string');
  if (told.length === 0) return properties;
  const resolved = told.map((name) => [name, resolve(String(properties[name]), base)]);
  return { ...properties, ...Object.fromEntries(resolved) };
}

function resolve(address: string, base: string): string | undefined {
  if (!URL.canParse(address, base)) return undefined;
  const url = new URL(address, base);
  return /^(?:https?|mailto):$/.test(url.protocol) ? plain(url.href) : undefined;
}

/** An address without the characters that mean something to Markdown or to one of its tables. */
function plain(href: string): string {
  return href.replace(/[()\\|`;]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

type WriteLink = NonNullable<NonNullable<Options['handlers']>['link']>;

/**
 * Writes a link. The usual writer escapes each `&` of an address, so that who copies the address from the
 * text has another one; without `;` none of them begins a character reference.
 */
export const writeLink: WriteLink = Object.assign(
  ((link: Link, _, state, info) => {
    if (isItsOwnText(link)) return `<${link.url}>`;
    const tracker = state.createTracker(info);
    const exit = state.enter('link');
    const leave = state.enter('label');
    const start = tracker.move('[');
    const place = { before: start, after: ']', ...tracker.current() };
    const text = tracker.move(state.containerPhrasing(link, place));
    leave();
    exit();
    return start + text + tracker.move(`](${link.url})`);
  }) satisfies WriteLink,
  { peek: (link: Link) => (isItsOwnText(link) ? '<' : '[') },
);

function isItsOwnText({ url, children: [text, ...more] }: Link): boolean {
  return text?.type === 'text' && text.value === url && more.length === 0;
}
