// Installs the packages of the lockfile if they are missing or outdated. Runs in any Node.
import { existsSync, statSync, symlinkSync, mkdirSync, lstatSync } from 'node:fs';
import { join, relative } from 'node:path';
import { spawnSync } from 'node:child_process';
import { ROOT, pinnedNode, refuseOldNode } from './runtime.mjs';

const lockfile = join(ROOT, 'package-lock.json');
const installed = join(ROOT, 'node_modules', '.package-lock.json');

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lockfile).mtimeMs) install();
linkPinnedNode();
refuseOldNode();

/** Calls npm by its own path, because it may run in the Node that is about to be replaced. */
function install() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  if (!npm) {
    console.error('Run this with npm: npm start, or npm test.');
    process.exit(1);
  }
  console.error('Installing packages (once) ...');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync(node ?? process.execPath, [npm, 'ci', ...options], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) {
    console.error('npm ci failed. Its messages above explain why.');
    process.exit(status ?? 1);
  }
}

/** Links `node`, which scripts expect first on their PATH: npm 10 does not if several packages contain one. */
function linkPinnedNode() {
  const node = pinnedNode();
  if (node === null || process.platform === 'win32') return;
  const folder = join(ROOT, 'node_modules', '.bin');
  const link = join(folder, 'node');
  if (lstatSync(link, { throwIfNoEntry: false })) return;
  mkdirSync(folder, { recursive: true });
  symlinkSync(relative(folder, node), link);
}
