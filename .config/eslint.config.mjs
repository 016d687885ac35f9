import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import astro from 'eslint-plugin-astro';
import boundaries from 'eslint-plugin-boundaries';
import { importX } from 'eslint-plugin-import-x';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** The rooms, each one folder; a folder inside another comes before it. */
const ROOMS = {
  schema: 'src/core/schema',
  domain: 'src/core/domain',
  contract: 'src/core/contract',
  readers: 'src/core/readers',
  db: 'db',
  identity: 'src/server/identity',
  commands: 'src/server/commands',
  queries: 'src/server/queries',
  http: 'src/server/http',
  publication: 'src/server/publication',
  keeper: 'src/server/keeper',
  'public-log': 'src/server/public-log',
  mcp: 'src/server/mcp',
  markdown: 'src/server/markdown',
  feeds: 'src/server/feeds',
  // `satellite` is its program, which the server never imports.
  'satellite-files': 'src/server/satellite',
  raster: 'src/server/raster',
  // Proves that a board is whole.
  whole: 'src/server/whole',
  // Writes whole boards into files, and reads them again.
  backups: 'src/server/backups',
  server: 'src/server',
  agent: 'src/agent',
  satellite: 'src/satellite',
  charts: 'src/charts',
  components: 'src/components',
  layouts: 'src/layouts',
  styles: 'src/styles',
  pages: 'src/pages',
};

/** Who may import whom: rooms first, then packages. What is not here is forbidden. */
const MAY_IMPORT = {
  schema: [['schema'], ['zod']],
  domain: [['schema', 'domain'], ['@noble/ed25519']],
  contract: [['schema', 'domain', 'contract'], ['zod']],
  readers: [['schema', 'domain', 'readers'], ['zod']],
  db: [
    ['schema', 'domain', 'db'],
    ['better-sqlite3', 'node:*'],
  ],
  identity: [
    ['schema', 'domain', 'db', 'identity'],
    ['arctic', 'jose', 'light-my-request', 'lucia', 'oauth4webapi', 'oidc-provider', 'node:*'],
  ],
  publication: [['schema', 'domain', 'contract', 'db', 'server', 'publication'], ['node:*']],
  'public-log': [
    ['schema', 'domain', 'db', 'identity', 'publication', 'server', 'public-log'],
    ['node:*'],
  ],
  raster: [['raster'], ['sharp', 'node:*']],
  whole: [
    ['schema', 'domain', 'db', 'identity', 'public-log', 'publication', 'server', 'whole'],
    ['node:*'],
  ],
  backups: [
    ['schema', 'domain', 'db', 'identity', 'publication', 'server', 'whole', 'backups'],
    ['node:*'],
  ],
  server: [
    [
      'schema',
      'domain',
      'contract',
      'db',
      'identity',
      'publication',
      'public-log',
      'http',
      'markdown',
      'satellite-files',
      'backups',
      'server',
    ],
    ['astro', 'modern-tar', 'nodemailer', 'smol-toml', 'zod', 'node:*'],
  ],
  commands: [
    ['schema', 'domain', 'contract', 'readers', 'identity', 'server'],
    ['sharp', 'node:*'],
  ],
  queries: [['schema', 'domain', 'contract', 'identity', 'publication', 'server', 'queries'], []],
  http: [
    ['schema', 'domain', 'contract', 'identity', 'server', 'http'],
    ['astro', 'csv-stringify', 'zod', 'node:*'],
  ],
  mcp: [
    ['schema', 'domain', 'contract', 'commands', 'queries', 'http', 'server', 'mcp'],
    ['@modelcontextprotocol/server', 'astro', 'zod', 'node:*'],
  ],
  // Pages as Markdown.
  markdown: [
    ['domain', 'markdown'],
    ['unified', 'rehype-*', 'remark-*', 'hast*', 'mdast*', 'unist-*'],
  ],
  // What crawlers, agents and feed readers are given in formats of their own.
  feeds: [
    ['schema', 'domain', 'contract', 'server', 'feeds'],
    ['feed', 'node:*'],
  ],
  // The companion site's page and files, for the board itself and for another host.
  'satellite-files': [['domain', 'contract', 'server', 'satellite-files'], ['node:*']],
  keeper: [
    [
      'schema',
      'domain',
      'contract',
      'db',
      'commands',
      'queries',
      'public-log',
      'satellite-files',
      'whole',
      'backups',
      'server',
      'keeper',
    ],
    ['node:*'],
  ],
  agent: [
    ['schema', 'domain', 'contract', 'readers', 'agent'],
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
      'schema',
      'domain',
      'contract',
      'commands',
      'queries',
      'http',
      'mcp',
      'feeds',
      'charts',
      'components',
      'layouts',
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
