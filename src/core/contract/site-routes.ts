/**
 * All pages and files of a board. A new page needs an entry here and a file under `src/pages`.
 *
 * The thread that converts pages to Markdown reads this too, so nothing here may need a schema.
 *
 * @module
 */
import {
  FAVICON_PATH,
  TOUCH_ICON_PATH,
  WEB_MANIFEST_PATH,
  ATOM_PATH,
  LLMS_TXT_PATH,
  SATELLITE_PATH,
  SITEMAP_PATH,
} from '../domain/text/file-paths.ts';
import { MCP_PATH } from '../domain/account/oauth.ts';
import { AVATAR_FORM_BYTES, MCP_LIMIT_BYTES } from './limits.ts';
import { type LlmsEntry, RouteTable, type SiteRoute } from './route-table.ts';

const READ = ['GET', 'HEAD', 'OPTIONS'];
const FORM = [...READ, 'POST'];

/** A page that is the same for everybody. */
const PAGE = {
  kind: 'page',
  methods: READ,
  caller: 'public',
  cacheSeconds: 60,
  limit: 'pages',
  markdown: true,
} as const;
const ON_REQUEST = { ...PAGE, prepared: 'first-request' } as const;
const IN_ADVANCE = { ...PAGE, prepared: 'publication' } as const;
/** A step of signing in. */
const SIGN_IN = {
  kind: 'page',
  methods: READ,
  caller: 'visitor',
  cacheSeconds: 0,
  limit: 'pages',
} as const;
const OWN = { ...SIGN_IN, caller: 'session' } as const;
const SETTINGS = { ...OWN, methods: FORM } as const;
/** Text or a program, which changes with the board. */
const FILE = {
  kind: 'file',
  methods: READ,
  caller: 'public',
  cacheSeconds: 300,
  limit: 'pages',
} as const;
const BUILT_FILE = { ...FILE, prepared: 'build' } as const;
const ASSET = { ...BUILT_FILE, kind: 'asset' } as const;
const PICTURE = { ...FILE, kind: 'picture' } as const;
/** What OAuth clients ask the provider; such a request is small (16 KiB). */
const PROVIDER = {
  kind: 'provider',
  methods: ['OPTIONS', 'POST'],
  caller: 'public',
  cacheSeconds: 0,
  limit: 'pages',
  bodyLimitBytes: 16 * 1024,
} as const;
const PROBE = { ...FILE, kind: 'probe', cacheSeconds: 0 } as const;

const listed = (section: LlmsEntry['section'], title: string, about: string): LlmsEntry => {
  return { section, title, about };
};

export const SITE_ROUTES: readonly SiteRoute[] = [
  // The board.
  {
    ...IN_ADVANCE,
    path: '/',
    sitemap: 'board',
    llms: listed('Board', 'Front page', 'the board of now, and how to join'),
  },
  {
    ...IN_ADVANCE,
    path: '/leaderboard/{window}/{metric}',
    sitemap: 'board',
    variants: 'board',
    search: 'q',
    llms: { section: 'Board' },
  },
  {
    ...ON_REQUEST,
    path: '/operators/{codename}',
    sitemap: 'board',
    variants: 'operator',
    search: 'with',
  },
  {
    ...ON_REQUEST,
    path: '/challenges',
    sitemap: 'reference',
    llms: listed('Optional', 'Challenges', 'rankings by one metric over days set beforehand'),
  },
  { ...ON_REQUEST, path: '/challenges/{id}', sitemap: 'reference', variants: 'standings' },
  {
    ...ON_REQUEST,
    path: '/hall-of-signal',
    sitemap: 'reference',
    llms: listed('Board', 'Hall of signal', 'the best that anyone reached over 30 days'),
  },
  {
    ...PAGE,
    path: '/submissions',
    sitemap: 'reference',
    llms: listed('Optional', 'Submissions', 'what was accepted, newest first'),
  },
  { ...PAGE, path: '/submissions/{id}' },
  { ...OWN, path: '/where-am-i' },
  { ...OWN, path: '/where-am-i/row' },
  // What the numbers mean.
  {
    ...IN_ADVANCE,
    path: '/methodology',
    sitemap: 'reference',
    llms: listed('What the numbers mean', 'Methodology', 'how daily token counts become a rank'),
  },
  {
    ...IN_ADVANCE,
    path: '/science',
    sitemap: 'reference',
    llms: listed('What the numbers mean', 'Science', 'what the numbers can and cannot say'),
  },
  {
    ...IN_ADVANCE,
    path: '/metrics',
    sitemap: 'board',
    llms: listed('What the numbers mean', 'Metrics', 'the five metrics, and the best ten by each'),
  },
  {
    ...IN_ADVANCE,
    path: '/metrics/{metric}',
    sitemap: 'board',
    llms: { section: 'What the numbers mean' },
  },
  // For programs, and for those who write them.
  {
    ...ON_REQUEST,
    path: '/developers',
    sitemap: 'reference',
    llms: listed(
      'For programs',
      'For developers',
      'formats, limits, refusals and each operation; long, about 150 kB',
    ),
  },
  {
    ...ON_REQUEST,
    path: '/developers/protocol',
    sitemap: 'reference',
    llms: listed('For programs', 'Device protocol', 'what devices sign and boards log'),
  },
  { ...FILE, path: '/developers/protocol.json', prepared: 'first-request' },
  { ...FILE, path: '/developers/vectors.json', prepared: 'first-request' },
  {
    ...ASSET,
    path: SATELLITE_PATH,
    llms: listed('For programs', 'Companion site', 'finds peers in the browser; a WebMCP tool'),
  },
  { ...ASSET, path: `${SATELLITE_PATH}{file}` },
  {
    ...FILE,
    path: '/log.ndjson.gz',
    cacheSeconds: 60,
    streamed: true,
    llms: listed(
      'For programs',
      'Public log',
      'all that the boards are computed from, NDJSON, gzip',
    ),
  },
  {
    ...ON_REQUEST,
    path: '/problems',
    sitemap: 'reference',
    llms: listed('Optional', 'Problems', 'every refusal by its code, and what to do'),
  },
  { ...ON_REQUEST, path: '/problems/{code}' },
  {
    ...IN_ADVANCE,
    path: '/privacy',
    sitemap: 'reference',
    llms: listed('Optional', 'Privacy', 'every byte that leaves a machine, and all that is kept'),
  },
  {
    ...FILE,
    path: ATOM_PATH,
    prepared: 'first-request',
    llms: listed('Optional', 'Feed', 'what happens on the board, Atom'),
  },
  {
    ...FILE,
    path: SITEMAP_PATH,
    prepared: 'first-request',
    llms: listed('Optional', 'Sitemap', 'all pages'),
  },
  {
    ...FILE,
    path: '/sitemap-{part}.xml',
    prepared: 'first-request',
    variants: 'sitemap',
  },
  { ...FILE, path: LLMS_TXT_PATH, prepared: 'publication' },
  { ...FILE, path: '/robots.txt', cacheSeconds: 3600, prepared: 'start' },
  { ...FILE, path: '/.well-known/security.txt', cacheSeconds: 3600 },
  {
    ...FILE,
    path: MCP_PATH,
    kind: 'mcp',
    methods: ['OPTIONS', 'POST'],
    cacheSeconds: 0,
    limit: 'mcp',
    bodyLimitBytes: MCP_LIMIT_BYTES,
  },
  { ...BUILT_FILE, path: '/opbench.json' },
  { ...BUILT_FILE, path: '/opbench.mjs' },
  { ...BUILT_FILE, path: '/opbench.tgz' },
  { ...FILE, path: '/opbench-{version}.tgz' },
  { ...PROBE, path: '/healthz' },
  { ...PROBE, path: '/readyz' },
  // Accounts.
  { ...SIGN_IN, path: '/login' },
  { ...SIGN_IN, path: '/login/link', methods: FORM },
  { ...SIGN_IN, path: '/login/mail' },
  { ...SIGN_IN, path: '/login/mail/link', methods: FORM },
  { ...SIGN_IN, path: '/login/interaction/{uid}', methods: FORM },
  { ...SIGN_IN, path: '/login/interaction/{uid}/mail', methods: FORM },
  { ...SIGN_IN, path: '/login/interaction/{uid}/{site}' },
  { ...SIGN_IN, path: '/login/{site}/callback' },
  { ...SIGN_IN, path: '/auth/callback' },
  { ...SIGN_IN, path: '/dev/mail' },
  // Each GET begins something, so HEAD is not taken.
  { ...SIGN_IN, path: '/oauth/authorize', methods: ['GET', 'OPTIONS'] },
  { ...SIGN_IN, path: '/oauth/authorize/{uid}', methods: ['GET', 'OPTIONS'] },
  { ...PROVIDER, path: '/oauth/register' },
  { ...PROVIDER, path: '/oauth/revoke' },
  { ...PROVIDER, path: '/oauth/token' },
  { ...SETTINGS, path: '/settings' },
  { ...SETTINGS, path: '/settings/applications' },
  { ...SETTINGS, path: '/settings/data' },
  { ...SIGN_IN, path: '/settings/deleted', cacheSeconds: 60 },
  { ...SETTINGS, path: '/settings/privacy' },
  { ...SETTINGS, path: '/settings/profile', bodyLimitBytes: AVATAR_FORM_BYTES },
  { ...SETTINGS, path: '/settings/sign-in' },
  { ...SETTINGS, path: '/settings/submissions' },
  // Pictures, and what pages are made with.
  { ...PICTURE, path: '/avatars/{hash}.webp', cacheSeconds: 3600 },
  { ...PICTURE, path: '/badge/{codename}.svg' },
  { ...PICTURE, path: '/open-graph.png', prepared: 'first-request' },
  { ...PICTURE, path: '/board/logo-{version}', prepared: 'build' },
  { ...ASSET, path: '/board/{file}' },
  { ...ASSET, path: '/board.png' },
  { ...ASSET, path: '/_astro/{file}' },
  { ...ASSET, path: FAVICON_PATH },
  { ...ASSET, path: '/icon.svg' },
  { ...ASSET, path: TOUCH_ICON_PATH },
  { ...ASSET, path: WEB_MANIFEST_PATH },
];

const PAGES = new RouteTable(SITE_ROUTES);

/** The Markdown version of a page; null if it has none. */
export const markdownPath = (page: string) => PAGES.markdownPath(page);
/** The page whose Markdown version is at an address; null if there is none. */
export const pageOfMarkdown = (address: string) => PAGES.pageOfMarkdown(address);
