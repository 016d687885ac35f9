import type { IncomingMessage } from 'node:http';
import { boardPath } from '#core/domain/board/board-path.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { isOtherName } from '#core/domain/account/loopback.ts';
import { FRONT_MARKDOWN } from '#core/contract/route-table.ts';
import { markdownPath } from '#core/contract/site-routes.ts';
import { type Address, cleanAddress, isClean } from '../request/address.ts';
import { isRead } from '../routes/methods.ts';
import type { RoutePolicy } from '../routes/route-policy.ts';
import { ROUTE_TABLE, addressesOf } from '#core/contract/routes.ts';
import { nearestName } from '#core/domain/text/nearest-name.ts';

/** The board's own address, complete and in parts. */
interface Home {
  baseUrl: string;
  /** Host and port, as in the Host header. */
  host: string;
  hostname: string;
}

export interface Redirection {
  status: 307 | 308;
  location: string;
}

/** The relevant parts of a request. */
interface RequestedAddress {
  request: IncomingMessage;
  method: string;
  address: Address;
  route: RoutePolicy;
}

export function homeOf(baseUrl: string): Home {
  const { host, hostname } = new URL(baseUrl);
  return { baseUrl, host, hostname };
}

/**
 * Where a request is redirected; null if nowhere. Every resource has one address, and only pages redirect to it.
 *
 * @throws {DomainError} `not_found` or `request_malformed` for an invalid address.
 */
export function redirection(asked: RequestedAddress, home: Home): Redirection | null {
  if (!isClean(asked.address.path)) return toCleanAddress(asked);
  return toHome(asked, home) ?? toSearch(asked) ?? toPage(asked);
}

function toCleanAddress({ method, address, route }: RequestedAddress): Redirection {
  const location = route.isApi || !isRead(method) ? null : cleanAddress(address);
  if (location === null) throw nothingAt(address);
  return { status: 308, location };
}

/** Where operators are searched by name: the longest window includes every operator of any other window. */
const SEARCH = boardPath({ window: 'all_time', metric: 'yield' });

/** Redirects a search on the front page. */
function toSearch({ method, address: { target, path } }: RequestedAddress): Redirection | null {
  if ((path !== '/' && path !== FRONT_MARKDOWN) || target === path || !isRead(method)) return null;
  const q = new URLSearchParams(target.slice(path.length)).get('q')?.trim();
  if (!q) return null;
  const found = `${SEARCH}?${new URLSearchParams({ q })}`;
  return { status: 307, location: path === '/' ? found : (markdownPath(found) ?? found) };
}

/** The framework also answers at the file names of pages. */
function toPage({
  method,
  address: { target, path },
  route,
}: RequestedAddress): Redirection | null {
  if (route.isApi || !isRead(method) || !path.endsWith('.html')) return null;
  const page = path.slice(0, -'.html'.length).replace(/\/index$/, '/');
  const location = cleanAddress({ target: page, path: page }) ?? page;
  return { status: 308, location: location + target.slice(path.length) };
}

function toHome(
  { request, method, address, route }: RequestedAddress,
  home: Home,
): Redirection | null {
  const { host } = request.headers;
  if (host === home.host) return null;
  if (host === undefined && request.httpVersion === '1.1') {
    throw new DomainError('request_malformed', 'The Host header is missing');
  }
  // Loopback has several names, but cookies and forms belong to the one in the base URL.
  const isElsewhere = isRead(method) && !route.isApi && isOtherName(host ?? '', home.hostname);
  return isElsewhere ? { status: 307, location: home.baseUrl + address.target } : null;
}

/** The most characters of an address that an error repeats. */
const SHOWN_CHARACTERS = 200;

export function nothingAt({ path }: Address): DomainError {
  const shown = path.length > SHOWN_CHARACTERS ? `${path.slice(0, SHOWN_CHARACTERS)}...` : path;
  const near = nearAddress(path);
  const hint = near === null ? '' : `. Did you mean ${near}?`;
  return new DomainError('not_found', `Nothing was found at ${shown}${hint}`);
}

/** Longer paths are not compared, because that is slow and a match within two letters is unlikely. */
const MAX_LENGTH = 80;

const SHAPES = ROUTE_TABLE.routes.flatMap(({ path }) => {
  const addresses = addressesOf(path);
  return addresses.length > 0 ? addresses : [path];
});

const BY_LENGTH = Map.groupBy(
  SHAPES.map((shape) => shape.split('/')),
  ({ length }) => length,
);

/**
 * Returns the known address that differs from a path by at most two letters, with the path's own values for its
 * parameters. Ignores case.
 */
export function nearAddress(path: string): string | null {
  if (path.length > MAX_LENGTH) return null;
  const typed = path.toLowerCase().split('/');
  const known = (BY_LENGTH.get(typed.length) ?? []).map((shape) => filled(shape, typed));
  const near = nearestName(typed.join('/'), known);
  return near === path ? null : near;
}

function filled(shape: readonly string[], typed: readonly string[]): string {
  return shape.map((part, at) => (part.startsWith('{') ? (typed[at] ?? '') : part)).join('/');
}
