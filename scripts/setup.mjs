// Installs what is missing, under whatever Node is there. Does nothing when the lockfile is installed.
import { existsSync, statSync, symlinkSync, mkdirSync, lstatSync } from 'node:fs';
import { join, relative } from 'node:path';
import { spawnSync } from 'node:child_process';
import { ROOT, pinnedNode, refuseOldNode } from './runtime.mjs';

const lockfile = join(ROOT, 'package-lock.json');
const installed = join(ROOT, 'node_modules', '.package-lock.json');

if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(lockfile).mtimeMs) install();
linkPinnedNode();
refuseOldNode();

/** npm itself may be run by the Node that is about to be replaced, so it is called by its own path. */
function install() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  if (!npm) {
    console.error('Start this through npm: npm start, npm test.');
    process.exit(1);
  }
  console.error('Installing packages (once) ...');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync(node ?? process.execPath, [npm, 'ci', ...options], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) {
    console.error('npm ci failed; see above.');
    process.exit(status ?? 1);
  }
}

/** npm 10 links no `node` where several packages bring one; scripts expect it first on their PATH. */
function linkPinnedNode() {
  const node = pinnedNode();
  if (node === null || process.platform === 'win32') return;
  const folder = join(ROOT, 'node_modules', '.bin');
  const link = join(folder, 'node');
  if (lstatSync(link, { throwIfNoEntry: false })) return;
  mkdirSync(folder, { recursive: true });
  symlinkSync(relative(folder, node), link);
}
