/** What the front knows of an address before anything is looked up. */
import { setAvatar } from '#core/contract/avatar.ts';
import { isPersonal } from '#core/contract/crawlers.ts';
import { getPeers } from '#core/contract/peers.ts';
import type { Route } from '#core/contract/route.ts';
import { SECURITY_TXT_PATH } from '#core/contract/security-txt.ts';
import { MCP_PATH } from '#core/domain/account/oauth.ts';
import { pageOfTwin, twinOf } from '#core/domain/board/markdown-path.ts';
import { PUBLIC_LOG_PATH } from '#core/schema/public-log.ts';
import { operationsAt } from './route-place.ts';
import {
  type Place,
  fileAt,
  mcpAt,
  negotiated,
  nothingAt,
  openPageAt,
  pageAt,
  pictureAt,
  providerPost,
  publicLogAt,
  searchAt,
  twinAt,
} from './response-policy.ts';

/** The origins of others whose pages may call with a token, by what they may call. */
export interface TrustedOrigins {
  mcp: readonly string[];
  satellite: readonly string[];
}

/** What other sites' pages may call with a token: nothing. */
const NO_ORIGINS: TrustedOrigins = { mcp: [], satellite: [] };

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
  '/settings/submissions',
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
  const { exact, patterns } = contractPlaces(routes, baseUrl, origins);
  for (const [path, place] of ownPlaces(baseUrl, origins)) exact.set(path, place);
  const kinds = kindsOf(baseUrl);
  const pageOf = pagePlaces(baseUrl);
  const nowhere = nothingAt(baseUrl);
  return (path, target = path) => {
    const known = exact.get(path) ?? kinds.find(([kind]) => kind.test(path))?.[1];
    if (known) return known;
    if (!isApiPath(path)) return pageOf(path, target);
    return patterns.find(({ pattern }) => pattern.test(path))?.place ?? nowhere;
  };
}

function contractPlaces(routes: readonly Route[], baseUrl: string, origins: TrustedOrigins) {
  const exact = new Map<string, Place>();
  const patterns: { pattern: RegExp; place: Place }[] = [];
  for (const [path, routesOfPath] of Map.groupBy(routes, ({ path }) => path as string)) {
    const trusted = path === getPeers.path ? origins.satellite : [];
    const place = operationsAt(routesOfPath, baseUrl, trusted);
    if (path.includes('{')) patterns.push({ pattern: patternOf(path), place });
    else exact.set(path, place);
  }
  return { exact, patterns };
}

/** Single addresses that are like no others. */
function ownPlaces(baseUrl: string, origins: TrustedOrigins): (readonly [string, Place])[] {
  return [
    ...PROVIDER_POSTS.map((path) => [path, providerPost(baseUrl)] as const),
    [PUBLIC_LOG_PATH, publicLogAt(baseUrl, READ)],
    [SECURITY_TXT_PATH, fileAt(baseUrl, READ)],
    [MCP_PATH, mcpAt(baseUrl, origins.mcp)],
    [UPLOAD, pageAt(baseUrl, READ_AND_POST, setAvatar.bodyLimitBytes)],
  ];
}

function kindsOf(baseUrl: string) {
  return [
    [PICTURE, pictureAt(baseUrl, READ)],
    [FILE, fileAt(baseUrl, READ)],
    [AUTHORIZATION, pageAt(baseUrl, ['GET', 'OPTIONS'])],
  ] as const;
}

/** Makes what tells apart pages, those that are computed for who asks, and both as Markdown. */
function pagePlaces(baseUrl: string): (path: string, target: string) => Place {
  const page = openPageAt(baseUrl, READ);
  const personal = pageAt(baseUrl, READ);
  const form = pageAt(baseUrl, READ_AND_POST);
  const search = negotiated(searchAt(baseUrl, READ));
  const twinned = negotiated(page);
  const twin = twinAt(baseUrl, READ);
  const twinSearch = twinAt(baseUrl, READ, true);
  return (path, target) => {
    const isTwin = pageOfTwin(path) !== null;
    if (isSearch(path, target)) return isTwin ? twinSearch : search;
    if (isTwin) return twin;
    if (twinOf(path) !== null) return twinned;
    return hasForm(path) ? form : isPersonal(path) ? personal : page;
  };
}

const READ = ['GET', 'HEAD', 'OPTIONS'];
const READ_AND_POST = [...READ, 'POST'];

/** What other sites may show: pictures that people gave, and those that the board draws itself. */
const PICTURE = /^\/(?:avatars\/|badge\/|board\/logo-|open-graph\.png$)/;

/** Whether a path is one of pictures, where an error must not be a page either. */
export function isPicture(path: string): boolean {
  return PICTURE.test(path);
}

/**
 * Text and programs of the board that are no pages: the operator's command, of any version, what the board
 * says of it, the feed, and what crawlers and agents are given.
 */
const FILE =
  /^\/(?:opbench(?:-[^/]+)?\.(?:json|mjs|tgz)|feed\.atom|llms\.txt|robots\.txt|sitemap(?:-[^/]*)?\.xml|developers\/(?:protocol|vectors)\.json)$/;

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

function patternOf(path: string): RegExp {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\{\w+\}/g, '[^/]+')}$`);
}
