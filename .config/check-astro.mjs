// Checks the types of .astro files; those of .ts files are checked, much faster, by oxlint.
import { createRequire } from 'node:module';
import { globSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const { AstroCheck } = createRequire(require.resolve('@astrojs/check'))('@astrojs/language-server');

const checker = new AstroCheck(root, require.resolve('typescript'), undefined);
const fileNames = globSync('src/**/*.astro', { cwd: root }).map((name) => join(root, name));
const { errors, warnings, hints } = await checker.lint({ fileNames, logErrors: { level: 'hint' } });
process.exit(errors + warnings + hints > 0 ? 1 : 0);
