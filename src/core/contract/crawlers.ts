/** Files for crawlers and security researchers: robots.txt and security.txt. */
import { SITEMAP_PATH } from '../domain/text/file-paths.ts';
import type { RouteTable } from './route-table.ts';
import { dayName, dayNumber, utcDay } from '../domain/counting/day.ts';

/**
 * Permitted uses of the board's pages and data: search, and input for models that cite their source. Training is not
 * permitted.
 *
 * @see {@link https://contentsignals.org | Content signals}
 */
export const CONTENT_SIGNAL = 'search=yes, ai-input=yes, ai-train=no, use=reference';

/**
 * The text of `/robots.txt`.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9309 | RFC 9309}
 */
export function robotsTxt(baseUrl: string, { personal }: RouteTable): string {
  const lines = [
    'User-agent: *',
    `Content-Signal: ${CONTENT_SIGNAL}`,
    'Allow: /',
    ...personal.map((start) => `Disallow: ${start}`),
    '',
    `Sitemap: ${baseUrl}${SITEMAP_PATH}`,
  ];
  return `${lines.join('\n')}\n`;
}

/** The text of `/robots.txt` on a board for members. */
export const CLOSED_ROBOTS_TXT = 'User-agent: *\nDisallow: /\n';

const SECURITY_TXT_PATH = '/.well-known/security.txt';

/** The number of days until the file expires. */
const LIFE_DAYS = 180;

interface SecurityContact {
  /** The admin's email address. */
  contact: string;
  baseUrl: string;
  nowMs: number;
}

/**
 * The text of `security.txt`. It changes once per UTC day.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9116#section-2.5 | RFC 9116, section 2.5}
 */
export function securityTxt({ contact, baseUrl, nowMs }: SecurityContact): string {
  const today = dayNumber(utcDay(nowMs));
  const lines = [
    `Contact: mailto:${encodeURI(contact)}`,
    `Expires: ${dayName(today + LIFE_DAYS)}T00:00:00Z`,
    'Preferred-Languages: en',
    // The RFC requires https for URLs.
    ...(baseUrl.startsWith('https:') ? [`Canonical: ${baseUrl}${SECURITY_TXT_PATH}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
