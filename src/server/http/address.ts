/** What a path may be made of: segments of plain characters, none of them empty, `.` or `..`. */
const CLEAN = /^\/(?:(?!\.{1,2}(?:\/|$))[\w.~!$&'()*+,;=:@-]+(?:\/(?!$)|$))*$/;

const PLAIN = /^[\w.~!$&'()*+,;=:@/-]*$/;

/** A request target in parts, or null if it is none of this board's. */
export interface Address {
  /** Path and query, as they stand in the target. */
  target: string;
  path: string;
}

/** Only paths are served; a target with a host must name this board. */
export function readAddress(url: string, baseUrl: string): Address | null {
  const target = url.startsWith('/') ? url : pathAtHome(url, baseUrl);
  if (target === null) return null;
  const end = target.indexOf('?');
  return { target, path: end < 0 ? target : target.slice(0, end) };
}

/** Whether a path is spelled in the one way that addresses have here. */
export function isClean(path: string): boolean {
  return CLEAN.test(path);
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
  const clean = pathname.replace(/(?<=.)\/$/, '');
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
