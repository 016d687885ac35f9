/** The pages that crawlers are told of. */

/** @see {@link https://www.sitemaps.org/protocol.html | sitemaps.org}: so many addresses fit in one file. */
export const MAX_SITEMAP_URLS = 50_000;

export interface SitemapEntry {
  /** The canonical address, from the root. */
  path: string;
  /** When the page changed last; null where that is not known. */
  modified: string | null;
}

export interface Sitemap {
  total: number;
  /** Those from one place to before another, some at a time, so that requests are answered in between. */
  pieces(from: number, to: number): AsyncIterable<readonly SitemapEntry[]>;
}
