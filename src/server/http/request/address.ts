import { SATELLITE_PATH } from '#core/domain/text/file-paths.ts';
import type { RouteTable } from '#core/contract/route-table.ts';

/** What a path may be made of: segments of plain characters, none of them empty, `.` or `..`. */
const CLEAN = /^\/(?:(?!\.{1,2}(?:\/|$))[\w.~!$&'()*+,;=:@-]+(?:\/(?!$)|$))*$/;

const PLAIN = /^[\w.~!$&'()*+,;=:@/-]*$/;

/** A request target in parts. */
export interface Address {
  /** Path and query, as they stand in the target. */
  target: string;
  path: string;
}

/** Where targets lead that are none of this board's. */
export const NOWHERE: Address = { target: '*', path: '*' };

/** Only paths are served; a target with a host must name this board. */
export function readAddress(url: string, baseUrl: string): Address | null {
  const target = url.startsWith('/') ? url : pathAtHome(url, baseUrl);
  if (target === null) return null;
  const end = target.indexOf('?');
  return { target, path: end < 0 ? target : target.slice(0, end) };
}

/** The one page that is a folder, because its files stand beside it wherever it is; and the same without its slash. */
const FOLDER = SATELLITE_PATH;
const NO_FOLDER = FOLDER.slice(0, -1);

/** Whether a path is spelled in the one way that addresses have here. */
export function isClean(path: string): boolean {
  return path === FOLDER || (path !== NO_FOLDER && CLEAN.test(path));
}

/**
 * The address that a page's path with too many slashes, dot segments or needless escapes stands
 * for, or null if there is none.
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

/** Where the badge of nobody is: a page that shows a badge has nothing else to show in its place. */
const NO_BADGE = '/badge/-.svg';

/** The address itself, or that of the badge of nobody if it asks for a badge of what is no name. */
export function badgeAddress(address: Address): Address {
  const { path, target } = address;
  if (!/^\/badge\/.*\.svg$/.test(path)) return address;
  const clean = isClean(path) ? path : (cleanAddress({ target: path, path }) ?? '');
  if (/^\/badge\/[^/]+\.svg$/.test(clean)) return address;
  return { path: NO_BADGE, target: NO_BADGE + target.slice(path.length) };
}

/** Where the Markdown of a page stands; null where the page has none, or its address is not spelled well. */
export function markdownAddress({ path, target }: Address, routes: RouteTable): Address | null {
  const markdown = isClean(path) ? routes.markdownPath(path) : null;
  return markdown === null
    ? null
    : { path: markdown, target: markdown + target.slice(path.length) };
}

/** Without escapes, unless they are broken or hide what no path holds, such as a slash. */
function unescaped(path: string): string | null {
  if (/%2f/i.test(path)) return null;
  try {
    const plain = decodeURIComponent(path);
    return PLAIN.test(plain) ? plain : null;
  } catch {
    return null;
  }
}

/** What follows the host in `http://host/path`, if the host is this board's. */
function pathAtHome(url: string, baseUrl: string): string | null {
  const [, origin, rest = '/'] = /^(https?:\/\/[^/?#]+)(\/.*)?$/i.exec(url) ?? [];
  if (origin === undefined || !URL.canParse(origin)) return null;
  return new URL(origin).origin === baseUrl ? rest : null;
}
