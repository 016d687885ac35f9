/** What the front knows of an address before anything is looked up. */
import { setAvatar } from '#core/contract/avatar.ts';
import { CONTENT_SIGNAL, isPersonal } from '#core/contract/crawlers.ts';
import { BODY_LIMIT_BYTES, MCP_LIMIT_BYTES } from '#core/contract/limits.ts';
import { getPeers } from '#core/contract/peers.ts';
import { type Route, isCounted, isShared } from '#core/contract/route.ts';
import { SECURITY_TXT_PATH } from '#core/contract/security-txt.ts';
import { MCP_PATH } from '#core/domain/oauth.ts';
import { pageOfTwin, twinOf } from '#core/domain/twin-path.ts';
import { PUBLIC_LOG_PATH } from '#core/schema/public-log.ts';
import { deprecationHeaders, goneAtMs } from './deprecation.ts';
import { dataSecurity, pageSecurity, pictureSecurity } from './security-headers.ts';

/** What stands behind a path: an operation or more of the API, perhaps a page, or nothing. */
export interface Place {
  /** The methods that it takes; none where nothing can be. */
  methods: readonly string[];
  isApi: boolean;
  /** How it treats requests of a method; one that it does not take is treated as the first. */
  treatment(method: string): Treatment;
}

export interface Treatment {
  /** The headers of all its answers: name, value, name, value. */
  headers: readonly string[];
  /** What else its answer to OPTIONS carries. */
  preflight: readonly string[];
  /** The policy that requests are counted by. */
  limit: 'mcp' | 'pages' | 'public';
  bodyLimitBytes: number;
  /** Whether its successes are sent while they are made. */
  isStreamed: boolean;
  /** From when on it answers no more, in epoch milliseconds. */
  goneAtMs: number;
  /** Pages of these origins may call it with a token and read what it answers. */
  origins: readonly string[];
}

/** The origins of others whose pages may call with a token, by what they may call. */
export interface TrustedOrigins {
  mcp: readonly string[];
  satellite: readonly string[];
}

/** What other sites' pages may call with a token: nothing. */
export const NO_ORIGINS: TrustedOrigins = { mcp: [], satellite: [] };

/** What a page of any site may read of an answer's head. */
export const EXPOSED = [
  'ETag',
  'Link',
  'Retry-After',
  'RateLimit-Policy',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Deprecation',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

const SHARED = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED,
};
/** What is said of all that is for everybody. */
const SIGNALS = { 'Content-Signal': CONTENT_SIGNAL };
const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'X-API-Key, If-None-Match, MCP-Protocol-Version',
  'Access-Control-Max-Age': '86400',
};

/** The pages that have a form. */
const FORMS = [
  '/login/link',
  '/login/mail/link',
  '/settings',
  '/settings/applications',
  '/settings/data',
  '/settings/privacy',
  '/settings/profile',
  '/settings/sign-in',
];
/** What a person is asked in the middle of signing in. */
const INTERACTION = /^\/login\/interaction\/[\w-]+(?:\/mail)?$/;

function hasForm(path: string): boolean {
  return FORMS.includes(path) || INTERACTION.test(path);
}

/** The page whose form takes a file. */
const UPLOAD = '/settings/profile';

/** Makes what finds the place of a path and of the target that it stands in. Paths without parameters cost one look-up. */
export function placesOf(
  routes: readonly Route[],
  baseUrl: string,
  origins: TrustedOrigins = NO_ORIGINS,
): (path: string, target?: string) => Place {
  const byPath = Map.groupBy(routes, ({ path }) => path as string);
  const exact = new Map<string, Place>();
  const patterns: { pattern: RegExp; place: Place }[] = [];
  for (const [path, routesOfPath] of byPath) {
    const trusted = path === getPeers.path ? origins.satellite : [];
    const place = placeOf(routesOfPath, baseUrl, trusted);
    if (path.includes('{')) patterns.push({ pattern: patternOf(path), place });
    else exact.set(path, place);
  }
  const nowhere = nothingAt(baseUrl);
  const page = openPageAt(baseUrl, ['GET', 'HEAD', 'OPTIONS']);
  const personal = pageAt(baseUrl, page.methods);
  const form = pageAt(baseUrl, ['GET', 'HEAD', 'OPTIONS', 'POST']);
  const search = negotiated(searchAt(baseUrl, page.methods));
  const twinned = negotiated(page);
  const twin = twinAt(baseUrl, page.methods);
  const twinSearch = twinAt(baseUrl, page.methods, true);
  PROVIDER_POSTS.forEach((path) => exact.set(path, providerPost(baseUrl)));
  const kinds = [
    [PICTURE, pictureAt(baseUrl, page.methods)],
    [COMMAND, commandAt(baseUrl, page.methods)],
    [AUTHORIZATION, pageAt(baseUrl, ['GET', 'OPTIONS'])],
  ] as const;
  exact.set(PUBLIC_LOG_PATH, publicLogAt(baseUrl, page.methods));
  exact.set(SECURITY_TXT_PATH, commandAt(baseUrl, page.methods));
  exact.set(MCP_PATH, mcpAt(baseUrl, origins.mcp));
  exact.set(UPLOAD, pageAt(baseUrl, form.methods, setAvatar.bodyLimitBytes));
  const pageOf = (path: string) => {
    if (twinOf(path) !== null) return twinned;
    if (pageOfTwin(path) !== null) return twin;
    return hasForm(path) ? form : isPersonal(path) ? personal : page;
  };
  return (path, target = path) => {
    const known = exact.get(path) ?? kinds.find(([kind]) => kind.test(path))?.[1];
    if (known) return known;
    if (isSearch(path, target)) return pageOfTwin(path) === null ? search : twinSearch;
    if (!isApiPath(path)) return pageOf(path);
    return patterns.find(({ pattern }) => pattern.test(path))?.place ?? nowhere;
  };
}

/** What other sites may show: pictures that people gave, and those that the board draws itself. */
const PICTURE = /^\/(?:avatars\/|badge\/|board\/logo-|open-graph\.png$)/;

/** Whether a path is one of pictures, where an error must not be a page either. */
export function isPicture(path: string): boolean {
  return PICTURE.test(path);
}

/** The operator's command, of any version, what the board says of it, the feed, the sitemap and the guide for agents. */
const COMMAND =
  /^\/(?:opbench(?:-[^/]+)?\.(?:json|mjs|tgz)|feed\.atom|llms\.txt|sitemap(?:-[^/]*)?\.xml)$/;

/** The parameters that make a page one that few others ask for, by how its path begins. */
const SEARCHES = [
  ['/leaderboard/', 'q'],
  ['/operators/', 'with'],
] as const;

/**
 * Whether a page is computed for who asks for it, as a read of the API is: a search for a name, and one
 * operator beside another, which nobody can remember for the next.
 */
function isSearch(path: string, target: string): boolean {
  if (path === target) return false;
  const query = new URLSearchParams(target.slice(path.length));
  return SEARCHES.some(([start, name]) => path.startsWith(start) && query.get(name)?.trim());
}

/** Whether a path is the API's or the provider's, where no page ever answers. */
function isApiPath(path: string): boolean {
  return /^\/(?:api|\.well-known|oauth)(?:\/|$)/.test(path);
}

/** Where the provider sends browsers, and takes them back: it begins something with every GET. */
const AUTHORIZATION = /^\/oauth\/authorize(?:\/[\w-]+)?$/;
/** What applications ask the provider, from any page: all are public clients, which show no credential. */
const PROVIDER_POSTS = ['/oauth/register', '/oauth/revoke', '/oauth/token'];
/** A request to the provider is small (16 KiB). */
const PROVIDER_BODY_BYTES = 16 * 1024;

const PROVIDER_PREFLIGHT = {
  ...PREFLIGHT,
  'Access-Control-Allow-Methods': 'POST, OPTIONS',
  'Access-Control-Allow-Headers': 'Content-Type, MCP-Protocol-Version',
};

function providerPost(baseUrl: string): Place {
  const headers = { ...dataSecurity(baseUrl, true), Vary: 'Accept-Encoding', ...SHARED };
  const preflight = Object.entries(PROVIDER_PREFLIGHT).flat();
  const treatment = { ...always(headers, PROVIDER_BODY_BYTES)(), preflight };
  return { methods: ['OPTIONS', 'POST'], isApi: true, treatment: () => treatment };
}

function patternOf(path: string): RegExp {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\{\w+\}/g, '[^/]+')}$`);
}

function placeOf(routes: readonly Route[], baseUrl: string, origins: readonly string[]): Place {
  const treatments = new Map<string, Treatment>();
  for (const route of routes) {
    const treatment = treatmentOf(route, baseUrl, origins);
    treatments.set(route.method, treatment);
    if (route.method === 'GET') treatments.set('HEAD', treatment);
  }
  const first = [...treatments.values()][0] as Treatment;
  return {
    methods: [...treatments.keys(), 'OPTIONS'].sort(),
    isApi: true,
    treatment: (method) => treatments.get(method) ?? first,
  };
}

function treatmentOf(route: Route, baseUrl: string, origins: readonly string[]): Treatment {
  const shared = isShared(route);
  const counted = isCounted(route);
  const varies = [
    'Accept-Encoding',
    ...(counted ? ['X-API-Key'] : []),
    ...(origins.length > 0 ? ['Origin'] : []),
  ];
  const headers = {
    ...dataSecurity(baseUrl, shared),
    Vary: varies.join(', '),
    ...(shared && { ...SHARED, ...SIGNALS }),
    ...deprecationHeaders(route),
  };
  return {
    headers: Object.entries(headers).flat(),
    preflight: shared ? Object.entries(PREFLIGHT).flat() : [],
    limit: counted ? 'public' : 'pages',
    bodyLimitBytes: Math.max(route.bodyLimitBytes, BODY_LIMIT_BYTES),
    isStreamed: route.streamed ?? false,
    goneAtMs: goneAtMs(route),
    origins,
  };
}

function pageAt(baseUrl: string, methods: readonly string[], bodyLimitBytes?: number): Place {
  const headers = { ...pageSecurity(baseUrl), Vary: 'Accept-Encoding' };
  return { methods, isApi: false, treatment: always(headers, bodyLimitBytes) };
}

/** A page for everybody, crawlers among them. */
function openPageAt(baseUrl: string, methods: readonly string[]): Place {
  const headers = { ...pageSecurity(baseUrl), Vary: 'Accept-Encoding', ...SIGNALS };
  return { methods, isApi: false, treatment: always(headers) };
}

/** A page that answers by another type, too, if that is asked for. */
function negotiated(page: Place): Place {
  const treatment = page.treatment('GET');
  const headers = treatment.headers.map((value, at) => {
    return treatment.headers[at - 1] === 'Vary' ? `Accept, ${value}` : value;
  });
  const varied = { ...treatment, headers };
  return { ...page, treatment: () => varied };
}

/** A page as Markdown: text for programs, whatever it says. */
function twinAt(baseUrl: string, methods: readonly string[], isCounted = false): Place {
  const headers = {
    ...dataSecurity(baseUrl, true),
    Vary: `Accept, Accept-Encoding${isCounted ? ', X-API-Key' : ''}`,
    ...SHARED,
    ...SIGNALS,
  };
  const treatment: Treatment = {
    ...always(headers)(),
    preflight: Object.entries(PREFLIGHT).flat(),
    limit: isCounted ? 'public' : 'pages',
  };
  return { methods, isApi: false, treatment: () => treatment };
}

/** A page that is counted, and says what is left, as a public read does. */
function searchAt(baseUrl: string, methods: readonly string[]): Place {
  const headers = { ...pageSecurity(baseUrl), Vary: 'Accept-Encoding, X-API-Key', ...SIGNALS };
  const treatment: Treatment = { ...always(headers)(), limit: 'public' };
  return { methods, isApi: false, treatment: () => treatment };
}

function pictureAt(baseUrl: string, methods: readonly string[]): Place {
  const headers = { ...pictureSecurity(baseUrl), Vary: 'Accept-Encoding' };
  return { methods, isApi: false, treatment: always(headers) };
}

/** Files that programs fetch: a refusal is no page, and any page may read them. */
function commandAt(baseUrl: string, methods: readonly string[]): Place {
  const headers = {
    ...dataSecurity(baseUrl, true),
    Vary: 'Accept-Encoding',
    ...SHARED,
    ...SIGNALS,
  };
  const treatment = { ...always(headers)(), preflight: Object.entries(PREFLIGHT).flat() };
  return { methods, isApi: true, treatment: () => treatment };
}

/** A file that is too large to be held in memory, for everybody. */
function publicLogAt(baseUrl: string, methods: readonly string[]): Place {
  const headers = { ...dataSecurity(baseUrl, true), ...SHARED, ...SIGNALS };
  const treatment = {
    ...always(headers)(),
    preflight: Object.entries(PREFLIGHT).flat(),
    isStreamed: true,
  };
  return { methods, isApi: true, treatment: () => treatment };
}

/** The Model Context Protocol server, which answers each message by itself. */
function mcpAt(baseUrl: string, origins: readonly string[]): Place {
  const headers = { ...dataSecurity(baseUrl, false), Vary: 'Accept-Encoding, Origin' };
  const treatment: Treatment = {
    ...always(headers, MCP_LIMIT_BYTES)(),
    limit: 'mcp',
    origins: [baseUrl, ...origins],
  };
  return { methods: ['OPTIONS', 'POST'], isApi: true, treatment: () => treatment };
}

function nothingAt(baseUrl: string): Place {
  const headers = { ...dataSecurity(baseUrl, false), Vary: 'Accept-Encoding' };
  return { methods: [], isApi: true, treatment: always(headers) };
}

function always(
  headers: Readonly<Record<string, string>>,
  bodyLimitBytes: number = BODY_LIMIT_BYTES,
): () => Treatment {
  const treatment: Treatment = {
    headers: Object.entries(headers).flat(),
    preflight: [],
    limit: 'pages',
    bodyLimitBytes,
    isStreamed: false,
    goneAtMs: Infinity,
    origins: [],
  };
  return () => treatment;
}
