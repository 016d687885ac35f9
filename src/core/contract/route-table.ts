/** Every address of a board in one table, and how it is looked up. */
import type { LimitName } from './limits.ts';
import type { Auth, Route } from './route.ts';

/** One address, or one pattern of addresses. All that depends on the address reads this. */
export interface SiteRoute {
  /** From the root; a parameter in braces stands for (a part of) one segment. */
  readonly path: `/${string}`;
  /**
   * What answers. `asset`: a file that the build or the admin made; `file`: text or a program, which any site may
   * read; `picture`: which any site may show; `provider`: what OAuth clients ask; `probe`: health checks.
   */
  readonly kind: 'asset' | 'file' | 'mcp' | 'operation' | 'page' | 'picture' | 'probe' | 'provider';
  readonly methods: readonly string[];
  /** Who may call; `visitor`: anyone, but the answer is for this one browser. */
  readonly caller: Auth | 'visitor';
  /** How long caches may keep the answer, in seconds; 0 forbids to store it. */
  readonly cacheSeconds: number;
  /** The policy that requests are counted by. */
  readonly limit: LimitName;
  /** The largest body, in bytes, where it is not the usual one. */
  readonly bodyLimitBytes?: number;
  /** Whether the answer is sent while it is read. */
  readonly streamed?: true;
  /** Whether the page can also be had as Markdown, at the same address with `.md`. */
  readonly markdown?: true;
  /** Whether the sitemap lists it: as changing with the boards, or as reference. */
  readonly sitemap?: 'board' | 'reference';
  /**
   * When its response is prepared: with the build, with each publication, on the first request after a
   * publication, or once, on the first request of all. Absent if each request is answered anew.
   */
  readonly prepared?: 'build' | 'first-request' | 'once' | 'publication';
  /** Which of its parameters choose what is shown; without, a prepared page takes none. */
  readonly variants?: 'board' | 'operator' | 'sitemap' | 'standings';
  /** The parameter that makes it a search, which counts as a public read and is never prepared. */
  readonly search?: 'q' | 'with';
  /** Where llms.txt lists it; one with parameters is listed by the links that llms.txt makes of it. */
  readonly llms?: LlmsEntry;
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
  /** What stands before the first parameter. */
  readonly prefix: string;
  readonly shape: RegExp;
}

/** Looks addresses up; where several routes fit, the first one is meant. */
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

  /** The route of a path; null if nothing of the board's is there. */
  find(path: string): SiteRoute | null {
    const exact = this.#exact.get(path);
    if (exact) return exact;
    const found = this.#patterns.find(({ prefix, shape }) => {
      return path.startsWith(prefix) && shape.test(path);
    });
    return found?.route ?? null;
  }

  /** Whether a path lies in a folder of pictures, where an error must not be a page either. */
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

  /** How the addresses begin that are for one visitor only, sorted; crawlers keep out. */
  get personal(): readonly string[] {
    return this.#personal;
  }

  isPersonal(path: string): boolean {
    return this.#personal.some((start) => path.startsWith(start));
  }

  /** The Markdown version of a page; null if it has none. Both are paths, with a query or without. */
  markdownPath(page: string): string | null {
    const [path, query] = parted(page);
    if (!this.find(path)?.markdown) return null;
    return (path === '/' ? FRONT_MARKDOWN : path + MARKDOWN_SUFFIX) + query;
  }

  /** The page whose Markdown version is at an address; null if there is none. */
  pageOfMarkdown(address: string): string | null {
    const [path, query] = parted(address);
    if (!path.endsWith(MARKDOWN_SUFFIX)) return null;
    const page = path === FRONT_MARKDOWN ? '/' : path.slice(0, -MARKDOWN_SUFFIX.length);
    return this.markdownPath(page) === path ? page + query : null;
  }

  /** What the request log calls a target: its route with `*` for parameters, so that it names nobody. */
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

function isPattern(path: string): boolean {
  return path.includes('{');
}

/** A name that a page shows holds no dot, so that its Markdown version is told apart. */
function patternOf(route: SiteRoute): Pattern {
  const { path, markdown } = route;
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  const shape = new RegExp(`^${literal.replace(/\{\w+\}/g, markdown ? '[^/.]+' : '[^/]+')}$`);
  return { route, prefix: path.slice(0, path.indexOf('{')), shape };
}

/** The folders of what is for one visitor, or its address where it lies in the root. */
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
