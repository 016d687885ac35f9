/** The pages that the sitemap lists. */

/** @see {@link https://www.sitemaps.org/protocol.html | sitemaps.org}: the most URLs in one file. */
export const MAX_SITEMAP_URLS = 50_000;

export interface SitemapEntry {
  /** The canonical address, from the root. */
  path: string;
  /** When the page last changed; null if unknown. */
  modified: string | null;
}

export interface Sitemap {
  total: number;
  /** The entries from `from` to before `to`, in chunks, so that requests can be answered in between. */
  pieces(from: number, to: number): AsyncIterable<readonly SitemapEntry[]>;
}
