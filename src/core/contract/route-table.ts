/** The table of all addresses of a board, and its lookup. */
import type { LimitName } from './limits.ts';
import type { Auth, Route } from './route.ts';

/** One address or pattern of addresses, with everything that depends on it. */
export interface SiteRoute {
  /** The path from the root. A parameter in braces matches a segment or a part of one, and with a star several segments. */
  readonly path: `/${string}`;
  /**
   * The kind of response. `asset`: a file created by the build or the admin. `file`: text or a program that any site
   * can read. `picture`: an image that any site can show. `provider`: OAuth endpoints, and that for logs to
   * witness. `probe`: health checks.
   */
  readonly kind: 'asset' | 'file' | 'mcp' | 'operation' | 'page' | 'picture' | 'probe' | 'provider';
  readonly methods: readonly string[];
  /**
   * The callers allowed. `visitor`: anyone, but the response is for one browser only. `admin`: admins and moderators; for
   * other operators the address does not exist.
   */
  readonly caller: Auth | 'admin' | 'visitor';
  /** How long caches can store the response, in seconds; 0 means not at all. */
  readonly cacheSeconds: number;
  /** The rate limit that requests count against. */
  readonly limit: LimitName;
  /** The largest body in bytes; absent for the default. */
  readonly bodyLimitBytes?: number;
  /** Whether the response is streamed. */
  readonly streamed?: true;
  /** Whether the page has a Markdown version, at the same address with `.md`. */
  readonly markdown?: true;
  /** The part of the sitemap that lists it; absent if none. `board` changes with each publication. */
  readonly sitemap?: 'board' | 'reference';
  /**
   * When its response is prepared: with the build, with each publication, on the first request after a
   * publication, or once, on the very first request. Absent if the response is not stored.
   */
  readonly prepared?: 'build' | 'first-request' | 'once' | 'publication';
  /**
   * How readers, which are machines without the database, answer it although it is not prepared. `facts`: like a
   * prepared response. `store`: its bytes are in the object store.
   */
  readonly readers?: 'facts' | 'store';
  /** The set of query parameters that a prepared page accepts; absent if none. */
  readonly variants?: 'board' | 'comparison' | 'operator' | 'sitemap' | 'standings';
  /** The query parameter that makes a request a search, which counts as a public read and is never prepared. */
  readonly search?: 'q' | 'with';
  /** How llms.txt lists it. For a path with parameters, llms.txt generates the links. */
  readonly llms?: LlmsEntry;
  /** Whether anyone can read the address on a board for members. */
  readonly open?: true;
  /** Whether sites that the admin chose can show the page in a frame. */
  readonly framed?: true;
  /** The operations of the API at this address. */
  readonly operations?: readonly Route[];
}

export const LLMS_SECTIONS = [
  'Board',
  'What the numbers mean',
  'Documentation',
  'For programs',
  'Optional',
] as const;

/** How llms.txt lists an address. */
export interface LlmsEntry {
  readonly section: (typeof LLMS_SECTIONS)[number];
  readonly title?: string;
  readonly about?: string;
}

const MARKDOWN_SUFFIX = '.md';
export const FRONT_MARKDOWN = `/index${MARKDOWN_SUFFIX}`;

interface Pattern {
  readonly route: SiteRoute;
  /** The path up to the first parameter. */
  readonly prefix: string;
  readonly shape: RegExp;
}

/** Looks up addresses. If several routes match, the first one wins. */
export class RouteTable {
  readonly routes: readonly SiteRoute[];
  readonly #exact = new Map<string, SiteRoute>();
  readonly #patterns: readonly Pattern[];
  readonly #personal: readonly string[];

  constructor(routes: readonly SiteRoute[]) {
    this.routes = routes;
    for (const route of routes) {
      if (!isPattern(route.path)) this.#exact.set(route.path, route);
    }
    this.#patterns = routes.filter(({ path }) => isPattern(path)).map(patternOf);
    this.#personal = personalStarts(routes);
  }

  /** Returns the route of a path; null if there is none. */
  find(path: string): SiteRoute | null {
    const exact = this.#exact.get(path);
    if (exact) return exact;
    const found = this.#patterns.find(({ prefix, shape }) => {
      return path.startsWith(prefix) && shape.test(path);
    });
    return found?.route ?? null;
  }

  /** Whether a path is in a folder of pictures, where errors must not be pages. */
  isPicture(path: string): boolean {
    if (this.find(path)?.kind === 'picture') return true;
    return this.#patterns.some(({ route, prefix }) => {
      return route.kind === 'picture' && path.startsWith(prefix);
    });
  }

  /** All operations of the API. */
  get operations(): Route[] {
    return this.routes.flatMap(({ operations = [] }) => operations);
  }

  /** The sorted prefixes of addresses that are for one visitor only. Crawlers must not visit them. */
  get personal(): readonly string[] {
    return this.#personal;
  }

  isPersonal(path: string): boolean {
    return this.#personal.some((start) => path.startsWith(start));
  }

  /** Returns the address of a page's Markdown version; null if it has none. Addresses are paths with or without a query. */
  markdownPath(page: string): string | null {
    const [path, query] = parted(page);
    if (!this.find(path)?.markdown) return null;
    return (path === '/' ? FRONT_MARKDOWN : path + MARKDOWN_SUFFIX) + query;
  }

  /** Returns the page whose Markdown version has an address; null if there is none. */
  pageOfMarkdown(address: string): string | null {
    const [path, query] = parted(address);
    if (!path.endsWith(MARKDOWN_SUFFIX)) return null;
    const page = path === FRONT_MARKDOWN ? '/' : path.slice(0, -MARKDOWN_SUFFIX.length);
    return this.markdownPath(page) === path ? page + query : null;
  }

  /** Returns the name of a target in the request log: its route with `*` for parameters, so that it identifies nobody. */
  logName(target: string): string {
    const [path] = parted(target);
    const page = this.pageOfMarkdown(path);
    const route = this.find(page ?? path);
    if (!route) return 'other';
    if (route.kind === 'operation') return route.path;
    const name = route.path.replace(/\{.*\}/, '*');
    return page === null || name !== route.path ? name : path;
  }
}

/**
 * Whether an address answers everyone even if only members can read the board: because it checks its caller itself,
 * because signing in needs it, or because it is the same on all boards.
 */
export function isOpen({ kind, caller, prepared, open, operations }: SiteRoute, method: string) {
  if (open) return true;
  if (operations) {
    const asked = method === 'HEAD' ? 'GET' : method;
    return operations.every((one) => one.method !== asked || one.auth !== 'public' || one.open);
  }
  const isOwn = kind === 'page' && caller !== 'public';
  return (
    isOwn || kind === 'asset' || kind === 'probe' || kind === 'provider' || prepared === 'build'
  );
}

/**
 * What answers an address on a machine without the database: the reader itself, the object store, or the writer. Anyone
 * gets the same prepared response, so that no credentials are needed for it.
 */
export function answererOf({ prepared, readers }: SiteRoute): 'reader' | 'store' | 'writer' {
  if (readers === 'store') return 'store';
  return prepared !== undefined || readers === 'facts' ? 'reader' : 'writer';
}

function isPattern(path: string): boolean {
  return path.includes('{');
}

/** Parameters of pages cannot contain a dot, which would be ambiguous with Markdown versions. */
function patternOf(route: SiteRoute): Pattern {
  const { path, markdown } = route;
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  const shape = literal
    .replace(/\{\w+\}/g, markdown ? '[^/.]+' : '[^/]+')
    .replace(/\{\w+\\\*\}/g, '.+');
  return { route, prefix: path.slice(0, path.indexOf('{')), shape: new RegExp(`^${shape}$`) };
}

/** The folders of addresses for one visitor, or the address itself if it is in the root. */
function personalStarts(routes: readonly SiteRoute[]): string[] {
  const personal = routes.filter(({ kind, caller }) => {
    const isOwnPage = kind === 'page' && caller === 'session';
    return isOwnPage || caller === 'visitor' || kind === 'provider';
  });
  const starts = personal.map(({ path }) => path.slice(0, path.lastIndexOf('/') + 1));
  const whole = new Set(personal.map(({ path }, at) => (starts[at] === '/' ? path : starts[at])));
  const sorted = [...whole].filter((start) => start !== undefined).sort();
  return sorted.filter((start) => {
    return !sorted.some((other) => other !== start && start.startsWith(other));
  });
}

function parted(address: string): [path: string, query: string] {
  const end = address.indexOf('?');
  return end < 0 ? [address, ''] : [address.slice(0, end), address.slice(end)];
}
