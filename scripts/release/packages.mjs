// Packages of the lockfile for any platform: npm installs only those of this machine.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { ROOT } from '../runtime.mjs';
import { filesIn, lockedPackage } from './files.mjs';

const FOLDER = join(ROOT, 'node_modules', '.cache', 'release');

/** The files of a package as `{path, mode, bytes}`. Downloads it with npm if it is not installed. */
export async function packageFiles(name) {
  const installed = join(ROOT, 'node_modules', name);
  if (existsSync(installed)) return filesIn(installed);
  const entries = await unpackTar(gunzipSync(downloaded(name)));
  return entries
    .filter(({ header }) => header.type === 'file')
    .map(({ header, data }) => {
      const path = header.name.slice(header.name.indexOf('/') + 1);
      return { path, mode: 0o644, bytes: Buffer.from(data) };
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** @throws {Error} if the package cannot be downloaded, or differs from the lockfile. */
function downloaded(name) {
  const { version, integrity } = lockedPackage(name);
  const path = join(FOLDER, `${name.replace('/', '-').replace('@', '')}-${version}.tgz`);
  if (!existsSync(path)) download(`${name}@${version}`, path);
  const bytes = readFileSync(path);
  const actual = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (actual === integrity) return bytes;
  rmSync(path);
  throw new Error(`${name}@${version} has ${actual}, but the lockfile has ${integrity}`);
}

function download(wanted, path) {
  console.error(`Downloading ${wanted} (once) ...`);
  const folder = join(FOLDER, 'download');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const options = [
    '--pack-destination',
    folder,
    '--loglevel=error',
    '--ignore-scripts',
    '--prefer-offline',
  ];
  const { status } = spawnSync(node, [npm, 'pack', wanted, ...options], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) throw new Error(`npm cannot download ${wanted}. Its messages are above`);
  const [file] = readdirSync(folder);
  renameSync(join(folder, file), path);
}
