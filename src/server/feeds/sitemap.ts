import { DomainError } from '#core/domain/text/errors.ts';
import { escapedMarkup } from '#core/domain/text/escape.ts';
import { MAX_SITEMAP_URLS, type Sitemap, type SitemapEntry } from '#core/domain/board/sitemap.ts';

interface SitemapFile {
  baseUrl: string;
  /** The number of a part, if the sitemap has several; the sitemap itself if left out. */
  part?: string | undefined;
  /** The maximum number of URLs in a file. */
  limit?: number;
}

/**
 * A sitemap as XML: all URLs if they fit into one file, otherwise the URLs of its parts.
 *
 * @throws {DomainError} `not_found` for an unknown part.
 * @see {@link https://www.sitemaps.org/protocol.html | sitemaps.org}
 */
export async function sitemapXml(
  sitemap: Sitemap,
  { baseUrl, part, limit = MAX_SITEMAP_URLS }: SitemapFile,
): Promise<string> {
  const parts = sitemap.total > limit ? Math.ceil(sitemap.total / limit) : 0;
  if (part === undefined) {
    return parts === 0 ? urlsXml(sitemap.pieces(0, limit), baseUrl) : indexXml(parts, baseUrl);
  }
  const number = /^[1-9]\d{0,5}$/.test(part) ? Number(part) : Infinity;
  if (number > parts) throw new DomainError('not_found', `The sitemap has no part ${part}`);
  return urlsXml(sitemap.pieces((number - 1) * limit, number * limit), baseUrl);
}

async function urlsXml(
  pieces: AsyncIterable<readonly SitemapEntry[]>,
  baseUrl: string,
): Promise<string> {
  const lines: string[] = [];
  for await (const piece of pieces) {
    lines.push(...piece.map((entry) => element('url', locationOf(entry, baseUrl))));
  }
  return documentOf('urlset', lines);
}

function locationOf({ path, modified }: SitemapEntry, baseUrl: string): string {
  const loc = element('loc', escapedMarkup(baseUrl + path));
  return modified === null ? loc : loc + element('lastmod', modified);
}

function indexXml(parts: number, baseUrl: string): string {
  const lines = Array.from({ length: parts }, (_, at) => {
    return element('sitemap', element('loc', escapedMarkup(`${baseUrl}/sitemap-${at + 1}.xml`)));
  });
  return documentOf('sitemapindex', lines);
}

function documentOf(name: 'sitemapindex' | 'urlset', lines: readonly string[]): string {
  const xmlns = 'http://www.sitemaps.org/schemas/sitemap/0.9';
  const head = `<?xml version="1.0" encoding="UTF-8"?>\n<${name} xmlns="${xmlns}">`;
  return `${[head, ...lines, `</${name}>`].join('\n')}\n`;
}

function element(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}
