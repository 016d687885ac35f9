/**
 * All pages and files of a board. A new page needs an entry in `site-routes.json` and a file under `src/pages`.
 *
 * The thread that converts pages to Markdown also loads this, so it must not import schemas.
 *
 * @module
 */
import { AVATAR_FORM_BYTES, MCP_LIMIT_BYTES } from './limits.ts';
import { RouteTable, type SiteRoute } from './route-table.ts';
import routes from './site-routes.json' with { type: 'json' };

const READ = { methods: ['GET', 'HEAD', 'OPTIONS'], limit: 'pages' } as const;
const FORM = { methods: [...READ.methods, 'POST'] } as const;

/** A page that is the same for all visitors. */
const PAGE = { ...READ, kind: 'page', caller: 'public', cacheSeconds: 60, markdown: true } as const;
/** A step of a sign-in. */
const SIGN_IN = { ...READ, kind: 'page', caller: 'visitor', cacheSeconds: 0 } as const;
const OWN = { ...SIGN_IN, caller: 'session' } as const;
/** Text or a program that can change with the board. */
const FILE = { ...READ, kind: 'file', caller: 'public', cacheSeconds: 300 } as const;
const BUILT_FILE = { ...FILE, prepared: 'build' } as const;
const POSTED = { ...FILE, methods: ['OPTIONS', 'POST'], cacheSeconds: 0 } as const;

/** The kinds of routes in the table. */
const KINDS = {
  page: PAGE,
  'page on request': { ...PAGE, prepared: 'first-request' },
  'page in advance': { ...PAGE, prepared: 'publication' },
  // A page inside other pages needs no Markdown version: that of the board has the same content.
  'framed page': { ...READ, kind: 'page', caller: 'public', cacheSeconds: 60, framed: true },
  'sign-in': SIGN_IN,
  'own page': OWN,
  settings: { ...OWN, ...FORM },
  setup: { ...SIGN_IN, ...FORM },
  // Crawlers get the page for unknown addresses, so robots.txt need not name these.
  admin: { ...OWN, ...FORM, caller: 'admin' },
  'settings with a picture': { ...OWN, ...FORM, bodyLimitBytes: AVATAR_FORM_BYTES },
  file: FILE,
  'built file': BUILT_FILE,
  asset: { ...BUILT_FILE, kind: 'asset' },
  picture: { ...FILE, kind: 'picture' },
  probe: { ...FILE, kind: 'probe', cacheSeconds: 0 },
  // Requests of OAuth clients are small.
  provider: { ...POSTED, kind: 'provider', bodyLimitBytes: 16 * 1024 },
  witness: { ...POSTED, kind: 'provider' },
  mcp: { ...POSTED, kind: 'mcp', limit: 'mcp', bodyLimitBytes: MCP_LIMIT_BYTES },
} as const;

export const SITE_ROUTES = routes.map(({ like, ...own }) => {
  return { ...KINDS[like as keyof typeof KINDS], ...own } as SiteRoute;
});

const PAGES = new RouteTable(SITE_ROUTES);

/** The address of a page's Markdown version; null if it has none. */
export const markdownPath = (page: string) => PAGES.markdownPath(page);
/** The page whose Markdown version has an address; null if there is none. */
export const pageOfMarkdown = (address: string) => PAGES.pageOfMarkdown(address);
