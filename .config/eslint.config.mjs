import astro from 'eslint-plugin-astro';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { importRules } from './import-rules.mjs';
import { MAY_IMPORT, MODULES } from './import-table.mjs';

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
  { plugins: { imports: importRules } },
  {
    files: ['src/**/*.{ts,astro}', 'db/**/*.ts'],
    ignores: ['**/*.d.ts'],
    rules: {
      'imports/table': ['error', { modules: MODULES, mayImport: MAY_IMPORT }],
      'no-restricted-syntax': ['error', ...HIDDEN_IMPORTS],
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
    },
  },
  { files: ['**/*.{ts,mjs,astro}'], rules: { 'imports/no-cycle': 'error' } },
  {
    files: ['**/*.{ts,mjs}'],
    rules: {
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
  { files: ['db/**/*.ts'], rules: { 'max-lines-per-function': ['error', { max: 120 }] } },
  { files: ['tests/**'], rules: { 'max-lines-per-function': 'off' } },
);
