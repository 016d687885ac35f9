/** Makes links work wherever the text is read. */
import type { ElementContent, Properties } from 'hast';
import type { Link } from 'mdast';
import type { Options } from 'remark-stringify';
import { markdownPath } from '#core/contract/site-routes.ts';
import { isElement } from './tree.ts';

const ADDRESSES = ['href', 'src'] as const;

/** Returns the nodes with absolute links. A link that leads to no page, file or mailbox becomes plain text. */
export function withAbsoluteLinks(
  nodes: readonly ElementContent[],
  base: string,
): ElementContent[] {
  return linked(nodes, (address) => resolve(address, base)?.href);
}

/** Returns the nodes with links to Markdown versions instead of pages, so that readers of Markdown stay in Markdown. */
export function withLinksToTwins(nodes: readonly ElementContent[], base: string): ElementContent[] {
  const { origin } = new URL(base);
  return linked(nodes, (address) => {
    const url = resolve(address, base);
    const twin = url?.origin === origin ? markdownPath(url.pathname + url.search) : null;
    return twin === null ? url?.href : `${origin}${twin}${url?.hash ?? ''}`;
  });
}

type Resolve = (address: string) => string | undefined;

function linked(nodes: readonly ElementContent[], resolved: Resolve): ElementContent[] {
  return nodes.map((node) => {
    if (!isElement(node)) return node;
    const children = linked(node.children, resolved);
    const properties = absolute(node.properties, resolved);
    const isText = node.tagName === 'a' && properties['href'] === undefined;
    return { ...node, tagName: isText ? 'span' : node.tagName, properties, children };
  });
}

function absolute(properties: Properties, resolved: Resolve): Properties {
  const told = ADDRESSES.filter((name) => typeof properties[name] === 'string');
  if (told.length === 0) return properties;
  const found = told.map((name) => {
    const href = resolved(String(properties[name]));
    return [name, href === undefined ? href : plain(href)];
  });
  return { ...properties, ...Object.fromEntries(found) };
}

function resolve(address: string, base: string): URL | undefined {
  if (!URL.canParse(address, base)) return undefined;
  const url = new URL(address, base);
  return /^(?:https?|mailto):$/.test(url.protocol) ? url : undefined;
}

/** Escapes characters of a URL that have a meaning in Markdown or in its tables. */
function plain(href: string): string {
  return href.replace(/[()\\|`;]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

type WriteLink = NonNullable<NonNullable<Options['handlers']>['link']>;

/**
 * Writes a link. The default writer escapes each `&` of a URL, which breaks the URL when it is copied as text.
 * Without a `;`, no `&` begins a character reference.
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
