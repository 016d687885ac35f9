/** What crawlers are told: what they may do with what they read, and where nothing is for them. */
import { SITEMAP_PATH } from '../domain/text/file-paths.ts';
import type { RouteTable } from './route-table.ts';
import { dayName, dayNumber, utcDay } from '../domain/counting/day.ts';

/**
 * What may be done with the board's pages and data: found by searching, and given to a model that
 * answers and names its source; not trained on.
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

const SECURITY_TXT_PATH = '/.well-known/security.txt';

/** For how many days it is right to rely on a copy. */
const LIFE_DAYS = 180;

interface SecurityContact {
  /** The admin's mail address. */
  contact: string;
  baseUrl: string;
  nowMs: number;
}

/**
 * The text of `security.txt`, the same all through a UTC day.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc9116#section-2.5 | RFC 9116, section 2.5}
 */
export function securityTxt({ contact, baseUrl, nowMs }: SecurityContact): string {
  const today = dayNumber(utcDay(nowMs));
  const lines = [
    `Contact: mailto:${encodeURI(contact)}`,
    `Expires: ${dayName(today + LIFE_DAYS)}T00:00:00Z`,
    'Preferred-Languages: en',
    // An address on the web has to begin with https here.
    ...(baseUrl.startsWith('https:') ? [`Canonical: ${baseUrl}${SECURITY_TXT_PATH}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}
