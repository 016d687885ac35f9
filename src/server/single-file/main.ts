/**
 * The main script of the single executable file. The program's files are in an archive inside the executable, because
 * the operating system loads native libraries, and Node starts threads, only from files on disk.
 *
 * @module
 */
import { createRequire, enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { getRawAsset } from 'node:sea';
import { pathToFileURL } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { cacheFolders } from './cache-folders.ts';
import { type Contents, UnpackError, isIntact, unpackedRoot } from './unpack.ts';

const { files, ...facts } = JSON.parse(asset('contents.json').toString()) as Omit<
  Contents,
  'bytes'
>;
const contents: Contents = {
  ...facts,
  files,
  bytes: () => zstdDecompressSync(asset('program.zst')),
};

try {
  const child = childScript();
  if (child === null) runProgram();
  else runFrom(dirname(dirname(child)), child);
} catch (error) {
  if (!(error instanceof UnpackError)) throw error;
  process.stderr.write(`opbench-board: ${error.message}\n`);
  process.exitCode = error.exitCode;
}

function asset(name: string): Buffer {
  return Buffer.from(getRawAsset(name));
}

/** The board starts this executable as `node SCRIPT`, without any environment. */
function childScript(): string | null {
  const script = process.argv[2] ?? '';
  const root = dirname(dirname(script));
  const isOurs = script === join(root, 'dist', 'raster.mjs') && root.endsWith(contents.key);
  return isOurs && isIntact(root, contents) ? script : null;
}

function runProgram(): void {
  const root = unpackedRoot(cacheFolders(), contents);
  enableCompileCache(join(dirname(root), 'compiled'));
  runFrom(root, join(root, 'dist', 'opbench-board.mjs'));
}

/** Node's loader in this script finds only built-in modules, so a file on disk imports the program. */
function runFrom(root: string, script: string): void {
  const load = createRequire(join(root, 'package.json'))('./load.cjs') as (address: string) => void;
  load(pathToFileURL(script).href);
}
