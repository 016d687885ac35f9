import { createHash } from 'node:crypto';
import { Feed } from 'feed';
import { escapedMarkup, withoutNonXml } from '#core/domain/text/escape.ts';
import { ATOM_PATH } from '#core/domain/text/file-paths.ts';

/** A board's feed, ready to be written. */
export interface AtomFeed {
  /** What tells this board from all others, wherever it stands. */
  board: string;
  baseUrl: string;
  title: string;
  subtitle: string;
  updated: string;
  entries: readonly AtomEntry[];
}

export interface AtomEntry {
  /** What tells it from all others of the board. */
  name: string;
  title: string;
  /** PreparedResponse HTML. */
  html: string;
  /** From the root. */
  href: string;
  updated: string;
}

/**
 * A feed in the Atom format. Ids are made of the board and of what an entry is about, not of addresses:
 * a board that moves keeps them, and a reader sees nothing twice.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc4287 | RFC 4287}
 */
export function atomXml({ board, baseUrl, title, subtitle, updated, entries }: AtomFeed): string {
  const name = plain(title);
  const feed = new Feed({
    id: permanentId(board, 'feed'),
    title: name,
    description: plain(subtitle),
    link: `${baseUrl}/`,
    feed: baseUrl + ATOM_PATH,
    updated: new Date(updated),
    author: { name },
    generator: false,
  });
  for (const entry of entries) {
    feed.addItem({
      id: permanentId(board, entry.name),
      // A title is HTML, as the content is.
      title: escapedMarkup(entry.title),
      content: withoutNonXml(entry.html),
      link: baseUrl + entry.href,
      date: new Date(entry.updated),
    });
  }
  return feed.atom1();
}

/** A UUID of the kind that everybody may make in a way of their own: version 8 of RFC 9562. */
function permanentId(board: string, name: string): string {
  const bytes = createHash('sha256').update(`${board}\n${name}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return `urn:uuid:${[...groups, hex.slice(20)].join('-')}`;
}

/** The package takes an `&amp;` in plain text for an ampersand that is escaped already. */
function plain(text: string): string {
  return withoutNonXml(text).replaceAll('&', '&amp;');
}
