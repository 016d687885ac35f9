/** The line that an admin shows above the pages of a board. */
import * as z from 'zod';
import { Day } from './scalars.ts';
import { line } from './texts.ts';

/** Maximum lengths in code points, and of the time until the end in days. */
export const ANNOUNCEMENT_LIMITS = { text: 200, link: 300, days: 90 } as const;

/** Stands for the address of the board while a path is resolved as browsers do. */
const BOARD = 'https://board.invalid';

/** The link as browsers understand it; null if it leads neither to the web nor to a path on the board. */
function linkOf(text: string): string | null {
  if (!text.startsWith('/')) {
    const url = URL.parse(text);
    const isWeb = url !== null && /^https?:$/.test(url.protocol);
    return isWeb && url.username === '' && url.password === '' ? url.href : null;
  }
  const url = URL.parse(text, BOARD);
  if (url?.origin !== BOARD) return null;
  const path = url.href.slice(BOARD.length);
  // Two slashes would begin the name of another host.
  return path.startsWith('//') ? null : path;
}

const Link = line(ANNOUNCEMENT_LIMITS.link).transform((text, { issues }) => {
  const link = linkOf(text);
  if (link !== null) return link;
  const message =
    'must begin with https:// or http://, or be a path on this board, such as /challenges';
  issues.push({ code: 'custom', input: text, message });
  return z.NEVER;
});

export const AnnouncementRequest = z.strictObject({
  /** Plain text. */
  text: line(ANNOUNCEMENT_LIMITS.text).refine((text) => text !== '', 'must not be empty'),
  link: Link.nullable(),
  /** The last UTC day on which pages show it. */
  last_day: Day,
});
export type AnnouncementRequest = z.input<typeof AnnouncementRequest>;
