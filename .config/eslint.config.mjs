// Checks .astro files and the scripts in them; oxlint checks all others.
import astro from 'eslint-plugin-astro';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import importRules from './import-rules.mjs';

export default defineConfig(
  ...tseslint.configs.strict,
  ...astro.configs.recommended,
  {
    plugins: { imports: importRules },
    rules: {
      'imports/table': 'error',
      'imports/no-hidden': 'error',
      'imports/no-cycle': 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.ts'],
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 10],
    },
  },
);
