/** What requests are called in the log: by what stands there, and never by who is named in the address. */
import type { Route } from '#core/contract/route.ts';
import { MANIFESTS } from '#core/contract/mcp/manifests.ts';
import {
  PROTOCOL_PATH,
  PROTOCOL_SCHEMAS_PATH,
  PROTOCOL_VECTORS_PATH,
} from '#core/contract/protocol.ts';
import { ROBOTS_PATH } from '#core/contract/crawlers.ts';
import { SECURITY_TXT_PATH } from '#core/contract/security-txt.ts';
import { ATOM_PATH, LLMS_TXT_PATH, SITEMAP_PATH } from '#core/domain/text/file-paths.ts';
import { MCP_PATH } from '#core/domain/account/oauth.ts';
import { PUBLIC_LOG_PATH } from '#core/schema/public-log.ts';

/** What is asked for at an address that names nothing of the board's. */
const OTHER = 'other';

/** Single addresses. */
export const NAMED: readonly string[] = [
  '/',
  '/apple-touch-icon.png',
  '/auth/callback',
  '/board.png',
  '/challenges',
  '/developers',
  PROTOCOL_PATH,
  PROTOCOL_SCHEMAS_PATH,
  PROTOCOL_VECTORS_PATH,
  '/favicon.ico',
  '/hall-of-signal',
  '/healthz',
  '/icon.svg',
  '/index.md',
  '/login',
  '/methodology',
  '/metrics',
  '/open-graph.png',
  '/opbench.json',
  '/opbench.mjs',
  '/opbench.tgz',
  '/privacy',
  '/problems',
  '/readyz',
  '/science',
  '/settings',
  '/site.webmanifest',
  '/submissions',
  '/where-am-i',
  ATOM_PATH,
  LLMS_TXT_PATH,
  MCP_PATH,
  PUBLIC_LOG_PATH,
  ROBOTS_PATH,
  SECURITY_TXT_PATH,
  SITEMAP_PATH,
];

/** Folders: what follows names somebody, or is one of many. */
const FOLDERS = [
  '_astro',
  'avatars',
  'badge',
  'board',
  'challenges',
  'dev',
  'leaderboard',
  'login',
  'metrics',
  'oauth',
  'operators',
  'problems',
  'satellite',
  'settings',
  'submissions',
  'where-am-i',
].map((folder) => [`/${folder}`, `/${folder}/*`] as const);

/** Files of which there are many. */
const FILES = [
  [/^\/opbench-[^/]*\.tgz$/, '/opbench-*.tgz'],
  [/^\/sitemap-[^/]*\.xml$/, '/sitemap-*.xml'],
] as const;

/** Makes what names the route of a request target, whatever that is. */
export function routeNames(routes: readonly Route[]): (target: string) => string {
  const exact = new Set<string>([...NAMED, ...[...routes, ...MANIFESTS].map(({ path }) => path)]);
  const folders = new Map<string, string>(FOLDERS);
  const patterns = routes.map(({ path }) => path as string).filter((path) => path.includes('{'));
  const shapes = patterns.map((path) => [shapeOf(path), path] as const);
  return (target) => {
    const end = target.indexOf('?');
    const path = end < 0 ? target : target.slice(0, end);
    if (exact.has(path)) return path;
    const folder = folders.get(path.slice(0, path.indexOf('/', 1)));
    if (folder !== undefined) return folder;
    if (path.endsWith('.md') && exact.has(path.slice(0, -3))) return path;
    return [...shapes, ...FILES].find(([shape]) => shape.test(path))?.[1] ?? OTHER;
  };
}

function shapeOf(path: string): RegExp {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\{\w+\}/g, '[^/]+')}$`);
}
