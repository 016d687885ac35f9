import { SATELLITE_PATH } from '#core/domain/text/file-paths.ts';
import type { RouteTable } from '#core/contract/route-table.ts';

/** The valid form of a path: segments of plain characters, none of them empty, `.` or `..`. */
const CLEAN = /^\/(?:(?!\.{1,2}(?:\/|$))[\w.~!$&'()*+,;=:@-]+(?:\/(?!$)|$))*$/;

const PLAIN = /^[\w.~!$&'()*+,;=:@/-]*$/;

/** The parts of a request target. */
export interface Address {
  /** Path and query, unchanged. */
  target: string;
  path: string;
}

/** Stands for targets on other hosts. */
export const NOWHERE: Address = { target: '*', path: '*' };

/** Parses a request target. Returns null if it names another host. */
export function readAddress(url: string, baseUrl: string): Address | null {
  const target = url.startsWith('/') ? url : pathAtHome(url, baseUrl);
  if (target === null) return null;
  const end = target.indexOf('?');
  return { target, path: end < 0 ? target : target.slice(0, end) };
}

/**
 * The only page whose path is a folder, because its relative files are next to it; and the same path without the
 * slash.
 */
const FOLDER = SATELLITE_PATH;
const NO_FOLDER = FOLDER.slice(0, -1);

/** Returns whether a path is in its canonical spelling. */
export function isClean(path: string): boolean {
  return path === FOLDER || (path !== NO_FOLDER && CLEAN.test(path));
}

/**
 * Corrects a page's path that has extra slashes, dot segments or unnecessary escapes. Returns null if that is
 * impossible.
 */
export function cleanAddress({ target, path }: Address): string | null {
  if (!/^\/(?!\/)/.test(path)) return null;
  const plain = unescaped(path.replace(/\/+/g, '/'));
  if (plain === null) return null;
  const { pathname } = new URL(plain, 'http://board.invalid');
  const short = pathname.replace(/(?<=.)\/$/, '');
  const clean = short === NO_FOLDER ? FOLDER : short;
  return isClean(clean) && clean !== path ? clean + target.slice(path.length) : null;
}

/** The address of the fallback badge. Pages that embed a badge always need an image. */
const NO_BADGE = '/badge/-.svg';

/** Returns the fallback badge's address for a badge whose name is not valid, and any other address unchanged. */
export function badgeAddress(address: Address): Address {
  const { path, target } = address;
  if (!/^\/badge\/.*\.svg$/.test(path)) return address;
  const clean = isClean(path) ? path : (cleanAddress({ target: path, path }) ?? '');
  if (/^\/badge\/[^/]+\.svg$/.test(clean)) return address;
  return { path: NO_BADGE, target: NO_BADGE + target.slice(path.length) };
}

/** The address of a page's Markdown version; null if there is none, or the path is not canonical. */
export function markdownAddress({ path, target }: Address, routes: RouteTable): Address | null {
  const markdown = isClean(path) ? routes.markdownPath(path) : null;
  return markdown === null
    ? null
    : { path: markdown, target: markdown + target.slice(path.length) };
}

/**
 * Decodes a path. Returns null if escapes are invalid or encode a character that paths cannot contain, such as a
 * slash.
 */
function unescaped(path: string): string | null {
  if (/%2f/i.test(path)) return null;
  try {
    const plain = decodeURIComponent(path);
    return PLAIN.test(plain) ? plain : null;
  } catch {
    return null;
  }
}

/** Returns what follows the host in `http://host/path`, or null if the host is not this board's. */
function pathAtHome(url: string, baseUrl: string): string | null {
  const [, origin, rest = '/'] = /^(https?:\/\/[^/?#]+)(\/.*)?$/i.exec(url) ?? [];
  if (origin === undefined || !URL.canParse(origin)) return null;
  return new URL(origin).origin === baseUrl ? rest : null;
}
