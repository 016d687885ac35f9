// Runs in any Node before anything is installed, so without dependencies and new syntax.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const REQUIRED = engines.node.replace('>=', '').split('.').map(Number);

/** The Node that npm installed for this platform; null if there is none. */
export function pinnedNode() {
  const name = IS_WINDOWS ? 'win' : process.platform;
  const folder = join(ROOT, 'node_modules', `node-${name}-${process.arch}`, 'bin');
  const path = join(folder, IS_WINDOWS ? 'node.exe' : 'node');
  return existsSync(path) ? path : null;
}

/** Whether the running Node is new enough for the server. */
function isNodeNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [needMajor = 0, needMinor = 0] = REQUIRED;
  return major > needMajor || (major === needMajor && minor >= needMinor);
}

/** Exits with an explanation if the running Node is too old and npm installed no other. */
export function refuseOldNode() {
  if (isNodeNewEnough() || pinnedNode() !== null) return;
  console.error(
    `Node ${process.versions.node} is too old. Opbench needs Node ${REQUIRED.join('.')} or later.\n` +
      `npm cannot install Node for ${process.platform} ${process.arch}. Install it from https://nodejs.org.`,
  );
  process.exit(1);
}

/** Without it, Node reads an `--env-file` after the name of the script, and exits if the file is missing. */
const BARRIER = '--';

/** Signals that are passed on to the process with the newer Node. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'];
const IS_WINDOWS = process.platform === 'win32';

/** If the running Node is too old, runs the script with the installed one and never returns. */
export async function ensureNode() {
  refuseOldNode();
  if (isNodeNewEnough()) return;
  const child = spawn(childNode(), [BARRIER, ...process.argv.slice(1)], { stdio: 'inherit' });
  // Windows sends Ctrl+C to both processes, and would kill this one's child at once.
  const pass = (signal) => IS_WINDOWS || child.kill(signal);
  SIGNALS.forEach((signal) => process.on(signal, pass));
  stopWithParent(process.ppid, () => child.kill('SIGTERM'));
  await new Promise((_, reject) => {
    child.once('error', reject);
    child.once('exit', (status, signal) => {
      SIGNALS.forEach((each) => process.off(each, pass));
      if (signal) process.kill(process.pid, signal);
      else process.exit(status ?? 1);
    });
  });
}

/**
 * Stops this process, or its replacement, when its parent is gone: a shell between npm and this process can die of a
 * signal without passing it on.
 */
export function stopWithParent(parent, stop = () => process.kill(process.pid, 'SIGTERM')) {
  if (!process.env['npm_execpath']) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, 500);
  watch.unref();
  // A second signal would make the server stop at once, so do not send another one.
  process.once('SIGTERM', () => clearInterval(watch));
  process.once('SIGINT', () => clearInterval(watch));
}

/** The Node for child processes. */
export function childNode() {
  return pinnedNode() ?? process.execPath;
}
