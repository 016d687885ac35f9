/** What crawlers are told: what they may do with what they read, and where nothing is for them. */
import { SITEMAP_PATH } from '../domain/text/file-paths.ts';

/**
 * What may be done with the board's pages and data: found by searching, and given to a model that
 * answers and names its source; not trained on.
 *
 * @see {@link https://contentsignals.org | Content signals}
 */
export const CONTENT_SIGNAL = 'search=yes, ai-input=yes, ai-train=no, use=reference';

/** How the addresses begin that are for one reader only, or begin something. */
const PERSONAL = [
  '/api/auth/',
  '/auth/',
  '/dev/',
  '/login',
  '/oauth/',
  '/settings',
  '/where-am-i',
] as const;

/** Whether an address is for one reader only. */
export function isPersonal(path: string): boolean {
  return PERSONAL.some((start) => path.startsWith(start));
}

export const ROBOTS_PATH = '/robots.txt';

/**
 * The text of `/robots.txt`.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9309 | RFC 9309}
 */
export function robotsTxt(baseUrl: string): string {
  const lines = [
    'User-agent: *',
    `Content-Signal: ${CONTENT_SIGNAL}`,
    'Allow: /',
    ...PERSONAL.map((start) => `Disallow: ${start}`),
    '',
    `Sitemap: ${baseUrl}${SITEMAP_PATH}`,
  ];
  return `${lines.join('\n')}\n`;
}
