// Which modules may import which. Lint enforces this table.

/** The modules. Each is a folder or a file. Nested folders come before the folder that contains them. */
export const MODULES = {
  schema: 'src/core/schema',
  domain: 'src/core/domain',
  contract: 'src/core/contract',
  readers: 'src/core/readers',
  cli: 'src/core/cli',
  db: 'db',
  config: 'src/server/config',
  process: 'src/server/process',
  mail: 'src/server/mail',
  identity: 'src/server/identity',
  operator: 'src/server/operator',
  account: 'src/server/account',
  device: 'src/server/device',
  counting: 'src/server/counting',
  submission: 'src/server/submission',
  challenge: 'src/server/challenge',
  board: 'src/server/board',
  publication: 'src/server/publication',
  'public-log': 'src/server/public-log',
  http: 'src/server/http',
  mcp: 'src/server/mcp',
  markdown: 'src/server/markdown',
  feeds: 'src/server/feeds',
  'cli-release': 'src/server/cli-release',
  // `satellite` is the page's program, which the server never imports.
  'satellite-files': 'src/server/satellite',
  raster: 'src/server/raster',
  verify: 'src/server/verify',
  backups: 'src/server/backups',
  'admin-pages': 'src/server/admin-pages',
  admin: 'src/server/admin',
  // The files that compose the process, and the context that all slices use.
  server: 'src/server',
  agent: 'src/agent',
  satellite: 'src/satellite',
  charts: 'src/charts',
  components: 'src/components',
  layouts: 'src/layouts',
  styles: 'src/styles',
  pages: 'src/pages',
  content: 'src/content.config.ts',
};

const CORE = ['schema', 'domain', 'contract'];

/** What a server module may import in addition to itself and the modules of `core`. */
const SERVER_IMPORTS = {
  config: [['process'], ['smol-toml', 'zod', 'node:*']],
  process: [
    ['config', 'db', 'server'],
    ['zod', 'node:*'],
  ],
  mail: [
    ['config', 'process', 'server'],
    ['nodemailer', 'zod', 'node:*'],
  ],
  identity: [
    ['config', 'db', 'mail', 'operator', 'process', 'server'],
    ['arctic', 'jose', 'light-my-request', 'lucia', 'oauth4webapi', 'oidc-provider', 'node:*'],
  ],
  account: [['config', 'counting', 'db', 'identity', 'operator', 'process', 'server'], ['node:*']],
  operator: [
    ['db', 'mail', 'process', 'server'],
    ['sharp', 'node:*'],
  ],
  device: [['counting', 'db', 'operator', 'process', 'publication', 'server'], ['node:*']],
  counting: [['db', 'operator', 'process', 'server'], []],
  submission: [
    ['counting', 'db', 'identity', 'operator', 'process', 'publication', 'readers', 'server'],
    ['node:*'],
  ],
  challenge: [['process', 'publication', 'server'], []],
  board: [
    [
      'challenge',
      'counting',
      'device',
      'operator',
      'process',
      'publication',
      'server',
      'submission',
    ],
    [],
  ],
  publication: [
    ['counting', 'db', 'http', 'markdown', 'operator', 'process', 'server'],
    ['node:*'],
  ],
  'public-log': [['config', 'db', 'identity', 'process', 'publication', 'server'], ['node:*']],
  http: [
    ['cli-release', 'config', 'identity', 'mail', 'operator', 'process', 'server'],
    ['astro', 'csv-stringify', 'zod', 'node:*'],
  ],
  mcp: [
    ['board', 'challenge', 'config', 'http', 'operator', 'server', 'submission'],
    ['@modelcontextprotocol/server', 'astro', 'zod', 'node:*'],
  ],
  markdown: [
    ['http', 'process'],
    ['unified', 'rehype-*', 'remark-*', 'hast*', 'mdast*', 'unist-*', 'node:*'],
  ],
  feeds: [[], ['feed', 'node:*']],
  'cli-release': [[], ['modern-tar', 'node:*']],
  'satellite-files': [['config', 'http', 'server'], ['node:*']],
  verify: [['db', 'process', 'public-log'], ['node:*']],
  backups: [
    [
      'account',
      'config',
      'counting',
      'db',
      'device',
      'identity',
      'operator',
      'process',
      'publication',
      'server',
      'submission',
      'verify',
    ],
    ['node:*'],
  ],
  // What the admin pages show and do. Commands and pages call the same functions of the slices.
  'admin-pages': [
    ['admin', 'cli', 'config', 'db', 'http', 'identity', 'operator', 'process', 'server'],
    ['node:*'],
  ],
  admin: [
    [
      'backups',
      'board',
      'challenge',
      'cli',
      'config',
      'counting',
      'db',
      'device',
      'identity',
      'mail',
      'operator',
      'process',
      'public-log',
      'satellite-files',
      'server',
      'submission',
      'verify',
    ],
    ['node:*'],
  ],
  server: [
    [
      'account',
      'backups',
      'cli-release',
      'config',
      'db',
      'http',
      'identity',
      'mail',
      'markdown',
      'process',
      'public-log',
      'publication',
      'satellite-files',
      'submission',
    ],
    ['astro', 'zod', 'node:*'],
  ],
};

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
  agent: [
    ['schema', 'domain', 'contract', 'readers', 'cli', 'agent'],
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
      'operator',
      'public-log',
      'submission',
    ],
    ['astro', 'astro:*'],
  ],
};
