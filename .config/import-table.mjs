// Which modules may import which. Lint enforces this table. `modules.mjs` lists the modules.

import { SERVER_IMPORTS } from './server-imports.mjs';

const CORE = ['schema', 'domain', 'contract'];

/** The allowed imports: modules first, then packages. Everything else is forbidden. */
export const MAY_IMPORT = {
  schema: [['schema'], ['zod']],
  domain: [['schema', 'domain'], ['@noble/ed25519']],
  contract: [['schema', 'domain', 'contract'], ['zod']],
  readers: [['schema', 'domain', 'readers'], ['zod']],
  cli: [['schema', 'domain', 'cli'], ['node:util']],
  db: [
    ['schema', 'domain', 'db'],
    ['better-sqlite3', 'node:*'],
  ],
  ...Object.fromEntries(
    Object.entries(SERVER_IMPORTS).map(([name, [modules, packages]]) => [
      name,
      [[...CORE, ...modules, name], packages],
    ]),
  ),
  // Draws pictures and knows nothing else of the board.
  raster: [['raster'], ['sharp', 'node:*']],
  // Reports are drawn with the site's charts, in its style.
  agent: [
    ['schema', 'domain', 'contract', 'readers', 'cli', 'charts', 'styles', 'agent'],
    [
      '@modelcontextprotocol/server',
      '@modelcontextprotocol/server/*',
      'smol-toml',
      'zod',
      'node:*',
    ],
  ],
  // The companion site's program. It runs in browsers, and shares texts with the pages.
  satellite: [
    ['schema', 'domain', 'contract', 'components', 'satellite'],
    ['@mcp-b/webmcp-polyfill', 'oauth4webapi'],
  ],
  charts: [['schema', 'domain', 'charts'], []],
  components: [
    ['schema', 'domain', 'charts', 'components'],
    ['astro', 'astro:*'],
  ],
  content: [[], ['astro', 'astro:*']],
  layouts: [
    ['schema', 'domain', 'contract', 'components', 'layouts', 'styles'],
    ['astro', 'astro:*', '@fontsource/*'],
  ],
  pages: [
    [
      ...CORE,
      'account',
      'admin-pages',
      'board',
      'cards',
      'challenge',
      'charts',
      'components',
      'device',
      'feeds',
      'http',
      'identity',
      'layouts',
      'mail',
      'mcp',
      'member-mail',
      'messages',
      'object-store',
      'operator',
      'public-log',
      'readers',
      'submission',
      'witness',
    ],
    ['astro', 'astro:*'],
  ],
};
