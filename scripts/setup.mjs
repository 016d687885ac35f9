// Installs the packages of the lockfile if they are missing or outdated. Runs in any Node.
//   node scripts/setup.mjs               what builds and runs a board ("dependencies")
//   node scripts/setup.mjs --with-tools  also what tests and checks need ("devDependencies")
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { spawnSync } from 'node:child_process';
import { ROOT, pinnedNode, refuseOldNode } from './runtime.mjs';

const PACKAGES = join(ROOT, 'node_modules');
/** Tools that are installed stay installed. */
const withTools = process.argv.includes('--with-tools') || existsSync(join(PACKAGES, 'vitest'));

if (!isInstalled()) install();
linkPinnedNode();
refuseOldNode();

function isInstalled() {
  const installed = join(PACKAGES, '.package-lock.json');
  const lockfile = join(ROOT, 'package-lock.json');
  if (!existsSync(installed)) return false;
  if (statSync(installed).mtimeMs < statSync(lockfile).mtimeMs) return false;
  return !withTools || existsSync(join(PACKAGES, 'vitest'));
}

/** Calls npm by its own path, because it may run in the Node that is about to be replaced. */
function install() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  if (!npm) {
    console.error('Run this with npm: npm start, or npm test.');
    process.exit(1);
  }
  console.error('Installing packages (once) ...');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  if (!withTools) options.push('--omit=dev');
  const { status } = spawnSync(node ?? process.execPath, [npm, 'ci', ...options], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) {
    console.error('npm ci failed. Its messages above explain why.');
    process.exit(status ?? 1);
  }
  if (!withTools) prune();
}

/** Removes what only compilers, type checkers, debuggers and other platforms read: a third of the bytes. */
function prune() {
  for (const name of readdirSync(PACKAGES)) {
    if (name.startsWith('node-')) remove(name, 'include');
  }
  remove('better-sqlite3', 'deps');
  remove('better-sqlite3', 'src');
  packagesOfOtherPlatforms().forEach((path) => remove(path));
  for (const entry of readdirSync(PACKAGES, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && isUnread(relative(PACKAGES, entry.parentPath), entry.name)) {
      rmSync(join(entry.parentPath, entry.name));
    }
  }
}

/** Older versions of npm install packages of the other C library of Linux, and all install those for WebAssembly. */
function packagesOfOtherPlatforms() {
  process.report.excludeNetwork = true;
  const { glibcVersionRuntime } = process.report.getReport().header;
  const libc = glibcVersionRuntime ? 'glibc' : 'musl';
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const isForeign = ({ cpu = [process.arch], libc: libraries = [libc] }) =>
    !cpu.includes(process.arch) || !libraries.includes(libc);
  return Object.keys(packages)
    .filter((path) => isForeign(packages[path]))
    .map((path) => relative('node_modules', path));
}

function isUnread(folder, name) {
  const isPrebuilt = folder === join('better-sqlite3', 'prebuilds');
  if (isPrebuilt) return !name.startsWith(process.platform) || !name.includes(process.arch);
  // The build of pages reads type declarations of astro.
  return /\.map$|\.d\.[cm]?ts$/.test(name) && !folder.startsWith('astro');
}

function remove(...path) {
  rmSync(join(PACKAGES, ...path), { recursive: true, force: true });
}

/** Links `node`, which scripts expect first on their PATH: npm 10 does not if several packages contain one. */
function linkPinnedNode() {
  const node = pinnedNode();
  if (node === null || process.platform === 'win32') return;
  const folder = join(PACKAGES, '.bin');
  const link = join(folder, 'node');
  if (lstatSync(link, { throwIfNoEntry: false })) return;
  mkdirSync(folder, { recursive: true });
  symlinkSync(relative(folder, node), link);
}
