import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { ROOT } from '../runtime.mjs';

const { version, description, license, engines, dependencies } = json('package.json');
const { packages: locked } = json('package-lock.json');

export const NAME = 'opbench-board';
export { version };

/** Packages with native code, which the build leaves out of the bundles. */
const NATIVE = ['better-sqlite3', 'sharp'];

function json(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

export function sha256(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The files of a folder as `{path, mode, bytes}`, ordered by path, which names the folder by `to`. */
export function filesIn(folder, to = '') {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => fileAt(path, join(to, relative(folder, path)).split(sep).join('/')))
    .sort(byPath);
}

function fileAt(path, to) {
  return { path: to, mode: 0o644, bytes: readFileSync(path) };
}

function byPath({ path: a }, { path: b }) {
  return a < b ? -1 : 1;
}

/** The built program with its manifest, without packages. */
export function programFiles() {
  const isShipped = ({ path }) => !/^dist\/(?:release\/|single-file|\.)/.test(path);
  return [
    fileAt(join(ROOT, 'LICENSE'), 'LICENSE'),
    { path: 'package.json', mode: 0o644, bytes: Buffer.from(manifest()) },
    ...filesIn(join(ROOT, 'db', 'migrations'), 'db/migrations'),
    ...filesIn(join(ROOT, 'dist'), 'dist').filter(isShipped),
  ]
    .map((file) => (file.path === 'dist/opbench-board.mjs' ? { ...file, mode: 0o755 } : file))
    .sort(byPath);
}

/** The npm package's manifest. Packages without native code are in the bundles, so it pins only the others. */
function manifest() {
  const pinned = Object.fromEntries(
    runtimePackages()
      .map((name) => [name, locked[`node_modules/${name}`].version])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
  const text = JSON.stringify(
    {
      name: NAME,
      version,
      description,
      license,
      type: 'module',
      bin: { [NAME]: 'dist/opbench-board.mjs' },
      engines,
      dependencies: pinned,
    },
    null,
    2,
  );
  return `${text}\n`;
}

/**
 * The names of the packages that the built program loads, those that they depend on included.
 *
 * @param {string | null} platform Adds the native parts of these packages for a platform, such as `linux-x64`.
 */
export function runtimePackages(platform = null) {
  const missing = NATIVE.filter((name) => !(name in dependencies));
  if (missing.length > 0) throw new Error(`package.json does not pin ${missing.join(', ')}`);
  const found = new Set();
  const add = (name) => {
    if (found.has(name)) return;
    found.add(name);
    const { dependencies: needed = {}, optionalDependencies: parts = {} } =
      locked[`node_modules/${name}`];
    Object.keys(needed).forEach(add);
    Object.keys(parts)
      .filter((part) => part.endsWith(`-${platform}`))
      .forEach(add);
  };
  NATIVE.forEach(add);
  return [...found];
}

export function lockedPackage(name) {
  return locked[`node_modules/${name}`];
}
