// Runs under whatever Node is there, before anything is installed: no dependency, no new syntax.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';

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

/** Runs this script again under the pinned Node if the running one is too old. */
export function ensureNode() {
  refuseOldNode();
  if (isNodeNewEnough()) return;
  const { status } = spawnSync(childNode(), process.argv.slice(1), { stdio: 'inherit' });
  process.exit(status ?? 1);
}

/** The Node that child processes should run on. */
export function childNode() {
  return pinnedNode() ?? process.execPath;
}
