/** Whom to tell of a weakness of the board. */
import { dayName, dayNumber, utcDay } from '../domain/counting/day.ts';

export const SECURITY_TXT_PATH = '/.well-known/security.txt';

/** For how many days it is right to rely on a copy. */
const LIFE_DAYS = 180;

export interface SecurityContact {
  /** The keeper's mail address. */
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
