// The board as one executable file: Node with our files inside.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';
import { inject } from 'postject';
import { SMALL_YOUNG_GENERATION } from '../../src/server/process/memory-settings.ts';
import { ROOT, childNode } from '../runtime.mjs';
import { stripped } from './elf.mjs';
import { NAME, programFiles, runtimePackages, sha256, version } from './files.mjs';
import { packageFiles } from './packages.mjs';

/** Imports a file for the main script, whose own loader finds only built-in modules. */
const LOADER = 'load.cjs';
const LOADER_TEXT = 'module.exports = (address) => import(address);\n';

/** Marks the place in Node that says whether a program was added. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Everything that the executable unpacks, `{key, native, files}`. The key names the cache folder. */
export async function unpackedFiles(platform) {
  const packages = await Promise.all(
    runtimePackages(platform).map(async (name) => {
      const files = (await packageFiles(name)).filter(({ path }) => isNeeded(name, path, platform));
      return files.map((file) => ({ ...file, path: `node_modules/${name}/${file.path}` }));
    }),
  );
  const load = { path: LOADER, mode: 0o644, bytes: Buffer.from(LOADER_TEXT) };
  const files = [...programFiles(), load, ...packages.flat()];
  const digest = sha256(files.map(({ path, bytes }) => `${path} ${sha256(bytes)}`).join('\n'));
  const native = `node_modules/better-sqlite3/prebuilds/${platform}.node`;
  return { key: `${version}-${digest.slice(0, 16)}`, native, files };
}

function isNeeded(name, path, platform) {
  if (/\.(?:map|md|cc|h|hpp|cpp|d\.ts)$/i.test(path)) return false;
  if (name !== 'better-sqlite3') return true;
  return /^(?:lib|package\.json|LICENSE)/.test(path) || path === `prebuilds/${platform}.node`;
}

/** Writes the executable file for a platform, such as `linux-arm64`, on any machine with the same version of Node. */
export async function writeExecutable(path, platform) {
  const { files, ...facts } = await unpackedFiles(platform);
  const index = files.map(({ path, mode, bytes }) => {
    return { path, mode, size: bytes.length, sha256: sha256(bytes) };
  });
  const archive = zstdCompressSync(Buffer.concat(files.map(({ bytes }) => bytes)), {
    params: { [constants.ZSTD_c_compressionLevel]: 19 },
  });
  const node = (await packageFiles(`node-${platform}`)).find(({ path }) => path === 'bin/node');
  writeFileSync(path, stripped(node.bytes));
  const blob = blobOf({
    'contents.json': JSON.stringify({ ...facts, files: index }),
    'program.zst': archive,
  });
  await inject(path, 'NODE_SEA_BLOB', blob, { sentinelFuse: FUSE });
  chmodSync(path, 0o755);
}

/** What Node reads at startup: the main script and the assets. */
function blobOf(assets) {
  const folder = mkdtempSync(join(tmpdir(), `${NAME}-`));
  try {
    for (const [name, bytes] of Object.entries(assets)) writeFileSync(join(folder, name), bytes);
    copyFileSync(join(ROOT, 'dist', 'single-file.cjs'), join(folder, 'main.cjs'));
    const config = {
      main: 'main.cjs',
      output: 'blob',
      disableExperimentalSEAWarning: true,
      // Otherwise Node would look for the program's own --env-file, and exit with 9 if it is missing.
      execArgv: [SMALL_YOUNG_GENERATION, '--'],
      execArgvExtension: 'none',
      // Relative paths, so that the file does not depend on this machine.
      assets: Object.fromEntries(Object.keys(assets).map((name) => [name, name])),
    };
    writeFileSync(join(folder, 'sea.json'), JSON.stringify(config));
    const words = ['--experimental-sea-config', 'sea.json'];
    const { status, stderr } = spawnSync(childNode(), words, { cwd: folder, encoding: 'utf8' });
    if (status !== 0) throw new Error(`Node cannot pack the program:\n${stderr}`);
    return readFileSync(join(folder, 'blob'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
