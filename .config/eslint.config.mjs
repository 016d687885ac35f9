import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import astro from 'eslint-plugin-astro';
import boundaries from 'eslint-plugin-boundaries';
import { importX } from 'eslint-plugin-import-x';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** The modules, each one folder; a folder inside another comes before it. */
const ROOMS = {
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
  // `satellite` is its program, which the server never imports.
  'satellite-files': 'src/server/satellite',
  raster: 'src/server/raster',
  verify: 'src/server/verify',
  backups: 'src/server/backups',
  admin: 'src/server/admin',
  // What composes the process, and the context that it gives to everything.
  server: 'src/server',
  agent: 'src/agent',
  satellite: 'src/satellite',
  charts: 'src/charts',
  components: 'src/components',
  layouts: 'src/layouts',
  styles: 'src/styles',
  pages: 'src/pages',
};

const CORE = ['schema', 'domain', 'contract'];

/** What a module of the server may import besides itself and the modules of `core`. */
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
  operator: [
    ['config', 'counting', 'db', 'identity', 'mail', 'process', 'server'],
    ['sharp', 'node:*'],
  ],
  device: [
    ['counting', 'db', 'identity', 'operator', 'process', 'publication', 'server'],
    ['node:*'],
  ],
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
  feeds: [['server'], ['feed', 'node:*']],
  'cli-release': [[], ['modern-tar', 'node:*']],
  'satellite-files': [['config', 'http', 'server'], ['node:*']],
  verify: [['db', 'process', 'public-log', 'publication', 'server'], ['node:*']],
  backups: [
    [
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
      'publication',
      'satellite-files',
      'server',
      'submission',
      'verify',
    ],
    ['node:*'],
  ],
  server: [
    [
      'backups',
      'cli-release',
      'config',
      'db',
      'http',
      'identity',
      'mail',
      'markdown',
      'operator',
      'process',
      'public-log',
      'publication',
      'satellite-files',
      'submission',
    ],
    ['astro', 'node:*'],
  ],
};

/** Who may import whom: modules first, then packages. What is not here is forbidden. */
const MAY_IMPORT = {
  schema: [['schema'], ['zod']],
  domain: [['schema', 'domain'], ['@noble/ed25519']],
  contract: [['schema', 'domain', 'contract'], ['zod']],
  readers: [['schema', 'domain', 'readers'], ['zod']],
  cli: [['schema', 'domain', 'cli'], []],
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
  // Draws what it is given.
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
  // The companion site's program, which runs in browsers, and says what pages say in their words.
  satellite: [
    ['schema', 'domain', 'contract', 'components', 'satellite'],
    ['@mcp-b/webmcp-polyfill', 'oauth4webapi'],
  ],
  charts: [['schema', 'domain', 'charts'], []],
  components: [
    ['schema', 'domain', 'charts', 'components'],
    ['astro', 'astro:*'],
  ],
  layouts: [
    ['schema', 'domain', 'components', 'layouts', 'styles'],
    ['astro', 'astro:*', '@fontsource/*'],
  ],
  pages: [
    [
      ...CORE,
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

const elements = [
  // Patterns skip dot folders unless they name them.
  { type: 'pages', pattern: 'src/pages/.*' },
  ...Object.entries(ROOMS).map(([type, pattern]) => ({ type, pattern })),
];
const policies = Object.entries(MAY_IMPORT).flatMap(([type, [rooms, packages]]) => {
  const from = { element: { type } };
  return [
    ...rooms.map((to) => ({ from, allow: { to: { element: { type: to } } } })),
    ...packages.map((source) => ({ from, allow: { to: { module: { source } } } })),
  ];
});

/** Ways of loading a file that the import table cannot see. */
const HIDDEN_IMPORTS = [
  {
    selector: "CallExpression[callee.object.type='MetaProperty'][callee.property.name=/^glob/]",
    message: 'import.meta.glob escapes the import table.',
  },
  {
    selector: "NewExpression[callee.name='URL'] > Literal[value=/\\.(ts|astro)$/]",
    message: 'A URL of a source file escapes the import table.',
  },
];

export default defineConfig(
  // The client's types exist only while its test runs, which compiles it.
  {
    ignores: ['dist', '.astro', 'node_modules', 'db/data', 'opbench.mjs', 'tests/fixtures/client'],
  },
  ...tseslint.configs.strict,
  ...astro.configs.recommended,
  importX.flatConfigs.typescript,
  {
    files: ['src/**/*.{ts,astro}', 'db/**/*.ts'],
    ignores: ['**/*.d.ts'],
    plugins: { boundaries },
    settings: { 'import/resolver': { typescript: true }, 'boundaries/elements': elements },
    rules: {
      'boundaries/no-unknown-files': 'error',
      'boundaries/no-unknown-dependencies': 'error',
      'boundaries/dependencies': [
        'error',
        { default: 'disallow', checkAllOrigins: true, checkInternals: true, policies },
      ],
      'no-restricted-syntax': ['error', ...HIDDEN_IMPORTS],
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.ts'],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname + '/..' },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['**/*.{ts,mjs}'],
    settings: { 'import-x/resolver-next': [createTypeScriptImportResolver()] },
    rules: {
      'import-x/no-cycle': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 10],
    },
  },
  // The operator's command runs on Node 20.
  {
    files: ['src/{core,agent}/**/*.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Map', property: 'groupBy' },
        { object: 'Object', property: 'groupBy' },
        { object: 'Promise', property: 'withResolvers' },
        { object: 'Array', property: 'fromAsync' },
      ],
    },
  },
  // A repository is one function that prepares its statements and returns what uses them.
  { files: ['db/*.ts'], rules: { 'max-lines-per-function': ['error', { max: 120 }] } },
  { files: ['tests/**'], rules: { 'max-lines-per-function': 'off' } },
);
