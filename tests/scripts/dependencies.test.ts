/** Checks that package.json installs what is used, where it is used, and nothing else. */
import { readFileSync, readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { extname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '#tests/support/board/context.ts';

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
) as Record<'dependencies' | 'devDependencies', Record<string, string>>;

const CODE = new Set(['.astro', '.css', '.js', '.mjs', '.ts']);

function filesIn(...places: string[]): string[] {
  return places.flatMap((place) => {
    if (extname(place) !== '') return [join(ROOT, place)];
    return readdirSync(join(ROOT, place), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
  });
}

const IMPORT = /(?:\bfrom\s+|\bimport\s*\(?\s*|@import\s+|url\()['"]([@a-z][^'"#:$\s]*)['"]/g;
const TYPES = /\bimport type [^;]*? from ['"][^'"]+['"]/g;

/** Only whole statements, because tests contain code as text. */
const STATEMENT = /^(?:import|export|\}).* from '([@a-z][^'#:]*)';$/gm;

function packagesOf(paths: readonly string[], pattern = IMPORT): Set<string> {
  const found = paths
    .filter((path) => CODE.has(extname(path)))
    .flatMap((path) => [...readFileSync(path, 'utf8').replaceAll(TYPES, '').matchAll(pattern)])
    .map(([, address = '']) => address.split('/', address.startsWith('@') ? 2 : 1).join('/'));
  return new Set(found.filter((name) => !isBuiltin(name)));
}

function programsOf(name: string): string[] {
  const path = join(ROOT, 'node_modules', name, 'package.json');
  const { bin = {} } = JSON.parse(readFileSync(path, 'utf8')) as { bin?: object | string };
  return typeof bin === 'string' ? [] : Object.keys(bin).map((program) => `.bin/${program}`);
}

const PRODUCT = filesIn('src', 'db', 'astro.config.mjs', 'scripts/build.mjs');

test('dependencies are exactly the packages that build and run a board', () => {
  const imported = [...packagesOf(PRODUCT)].filter((name) => !name.startsWith('virtual'));

  expect(imported.sort()).toEqual(Object.keys(dependencies).sort());
});

test('tests, checks and scripts import only packages that package.json lists', () => {
  const declared = { ...dependencies, ...devDependencies };
  const imported = packagesOf(filesIn('tests', 'scripts', '.config'), STATEMENT);

  expect([...imported].filter((name) => !(name in declared))).toEqual([]);
});

test('devDependencies are packages that tests, checks or scripts name', () => {
  const tools = filesIn('tests', 'scripts', '.config', '.oxlintrc.json', '.prettierrc.json');
  const text = tools
    .filter((path) => !/\.(?:gz|png|sql|tgz)$/.test(path))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const unnamed = Object.keys(devDependencies)
    // TypeScript finds types by name, and oxlint finds its type checker.
    .filter((name) => !name.startsWith('@types/') && name !== 'oxlint-tsgolint')
    .filter((name) => !text.includes(name) && !programsOf(name).some((at) => text.includes(at)));

  expect(unnamed).toEqual([]);
});
