// Runs under whatever Node is there, before anything is installed: no dependency, no new syntax.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));

const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const REQUIRED = engines.node.replace('>=', '').split('.').map(Number);

/** The Node that npm installed for this platform, or null where there is none. */
export function pinnedNode() {
  const name = process.platform === 'win32' ? 'win' : process.platform;
  const folder = join(ROOT, 'node_modules', `node-${name}-${process.arch}`, 'bin');
  const path = join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(path) ? path : null;
}

/** Whether the running Node is new enough for the server. */
function isNodeNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [needMajor = 0, needMinor = 0] = REQUIRED;
  return major > needMajor || (major === needMajor && minor >= needMinor);
}

/** Ends with an explanation where there is neither a Node that will do nor one that npm pins. */
export function refuseOldNode() {
  if (isNodeNewEnough() || pinnedNode() !== null) return;
  console.error(
    `Opbench needs Node ${REQUIRED.join('.')} or later; this is ${process.versions.node}.\n` +
      `For ${process.platform} ${process.arch} npm has no Node to pin: install one from nodejs.org.`,
  );
  process.exit(1);
}

/** What ends a script, and what ends the one that runs in its place. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/** Goes on under the pinned Node if the running one is too old; then nothing after it runs here. */
export async function ensureNode() {
  refuseOldNode();
  if (isNodeNewEnough()) return;
  const child = spawn(childNode(), process.argv.slice(1), { stdio: 'inherit' });
  const pass = (signal) => child.kill(signal);
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
 * Stops this process, or what runs in its place, when its parent is gone: a shell between npm and this process may die
 * of a signal without passing it on.
 */
export function stopWithParent(parent, stop = () => process.kill(process.pid, 'SIGTERM')) {
  if (!process.env['npm_execpath']) return;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, 500);
  watch.unref();
  // Whoever asks a second time wants it at once, which nobody does here.
  process.once('SIGTERM', () => clearInterval(watch));
  process.once('SIGINT', () => clearInterval(watch));
}

/** The Node that child processes should run on. */
export function childNode() {
  return pinnedNode() ?? process.execPath;
}
