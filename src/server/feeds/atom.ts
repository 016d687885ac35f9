import { createHash } from 'node:crypto';
import { Feed } from 'feed';
import { escapedMarkup, withoutNonXml } from '#core/domain/text/escape.ts';

/** The content of a feed. */
export interface AtomFeed {
  /** Unique on this board. */
  name: string;
  /** The path of the feed, and of the page that it is about. */
  path: string;
  href: string;
  /** Identifies the board, also after it moved to another address. */
  board: string;
  baseUrl: string;
  title: string;
  subtitle: string;
  updated: string;
  entries: readonly AtomEntry[];
}

export interface AtomEntry {
  /** Unique on this board. */
  name: string;
  title: string;
  /** Safe HTML. */
  html: string;
  /** A path from the root. */
  href: string;
  updated: string;
}

/**
 * A feed in the Atom format. IDs are derived from the board and the subject of an entry, not from URLs. If a board
 * moves, they stay the same, and feed readers do not show entries twice.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc4287 | RFC 4287}
 */
export function atomXml(content: AtomFeed): string {
  const { board, baseUrl, name, path, href, title, subtitle, updated, entries } = content;
  const shown = plain(title);
  const feed = new Feed({
    id: permanentId(board, name),
    title: shown,
    description: plain(subtitle),
    link: baseUrl + href,
    feed: baseUrl + path,
    updated: new Date(updated),
    author: { name: shown },
    generator: false,
  });
  for (const entry of entries) {
    feed.addItem({
      id: permanentId(board, entry.name),
      // Titles are HTML, like the content.
      title: escapedMarkup(entry.title),
      content: withoutNonXml(entry.html),
      link: baseUrl + entry.href,
      date: new Date(entry.updated),
    });
  }
  return feed.atom1();
}

/** A feed without its own update time. An empty feed changes it with every update of the board. */
export function atomContent(xml: string): string {
  return xml.replace(/<updated>[^<]*<\/updated>/, '');
}

/** A UUID of version 8 (RFC 9562), which allows custom formats. */
function permanentId(board: string, name: string): string {
  const bytes = createHash('sha256').update(`${board}\n${name}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return `urn:uuid:${[...groups, hex.slice(20)].join('-')}`;
}

/** Escapes ampersands, because the package treats `&amp;` in plain text as already escaped. */
function plain(text: string): string {
  return withoutNonXml(text).replaceAll('&', '&amp;');
}
