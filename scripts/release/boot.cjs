// The main script of the single executable file. The program's files are in an archive inside the executable, because
// the operating system can load native libraries, and Node can start threads, only from files on disk. They are
// unpacked once into a cache folder, and verified before each start.
'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { createRequire, enableCompileCache } = require('node:module');
const { homedir, tmpdir } = require('node:os');
const { dirname, join, sep } = require('node:path');
const { getRawAsset } = require('node:sea');
const { zstdDecompressSync } = require('node:zlib');

/** `{key, native, files: [{path, mode, size, sha256}]}`; the archive is the files' bytes in this order. */
const index = JSON.parse(Buffer.from(getRawAsset('index.json')).toString());
const USAGE = 1;
const STORAGE = 2;

try {
  const root = childRoot() ?? preparedRoot();
  const script = childRoot() === null ? join(root, 'dist', 'opbench-board.mjs') : process.argv[2];
  createRequire(join(root, 'package.json'))('./load.cjs')(script);
} catch (error) {
  process.stderr.write(`opbench-board: ${error.advice ?? error.stack}\n`);
  process.exitCode = error.exitCode ?? STORAGE;
}

/** The board starts this executable as `node SCRIPT`, without any environment. */
function childRoot() {
  const [, , script = ''] = process.argv;
  const root = dirname(dirname(script));
  const isOurs = root.endsWith(sep + index.key) && script === join(root, 'dist', 'raster.mjs');
  return isOurs && isIntact(root) ? root : null;
}

/** The folder with the program's files, unpacked if it is not there yet. */
function preparedRoot() {
  const places = cacheFolders();
  const existing = places.map((folder) => join(folder, index.key)).find(isIntact);
  const root = existing ?? unpackedRoot(places);
  refuseUnloadable(root);
  enableCompileCache(join(dirname(root), 'compiled'));
  return root;
}

/** Folders that only this user or root can write. */
function cacheFolders() {
  const { OPBENCH_CACHE_DIR, CACHE_DIRECTORY, XDG_CACHE_HOME } = process.env;
  if (OPBENCH_CACHE_DIR) return [OPBENCH_CACHE_DIR];
  const user = process.getuid();
  const personal = XDG_CACHE_HOME || (homedir() !== '/' && join(homedir(), '.cache'));
  return [
    CACHE_DIRECTORY,
    '/var/cache/opbench-board',
    user !== 0 && personal && join(personal, 'opbench-board'),
    join(tmpdir(), `opbench-board-${user}`),
  ].filter(Boolean);
}

function unpackedRoot(places) {
  const failures = [];
  for (const folder of places) {
    try {
      return unpack(folder);
    } catch (error) {
      failures.push(`  ${folder}: ${error.message}`);
    }
  }
  throw explained(
    `The program's files cannot be unpacked. Set OPBENCH_CACHE_DIR to a folder that this user can write and that has ${Math.ceil(totalSize() / 1e6)} MB of free space.\n${failures.join('\n')}`,
    process.env.OPBENCH_CACHE_DIR ? USAGE : STORAGE,
  );
}

/** Writes all files into a temporary folder, then renames it, so that a half-written folder is never used. */
function unpack(folder) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o755 });
  refuseForeign(folder);
  const root = join(folder, index.key);
  const temporary = fs.mkdtempSync(join(folder, '.unpacking-'));
  try {
    fs.chmodSync(temporary, 0o755);
    const bytes = zstdDecompressSync(getRawAsset('program.zst'));
    let at = 0;
    for (const { path, mode, size } of index.files) {
      const target = join(temporary, path);
      fs.mkdirSync(dirname(target), { recursive: true, mode: 0o755 });
      fs.writeFileSync(target, bytes.subarray(at, at + size), { mode, flush: true });
      at += size;
    }
    replace(temporary, root);
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
  return root;
}

/** Another process may be unpacking the same files, and a damaged folder may be in the way. */
function replace(temporary, root) {
  if (isIntact(root)) return;
  fs.rmSync(root, { recursive: true, force: true });
  try {
    fs.renameSync(temporary, root);
  } catch (error) {
    if (!isIntact(root)) throw error;
  }
}

/** Refuses a folder in which another user could exchange files between their verification and their use. */
function refuseForeign(folder) {
  const { uid, mode } = fs.lstatSync(folder);
  const isOurs = uid === process.getuid() || uid === 0;
  if (!isOurs || (mode & 0o022) !== 0) throw new Error('other users can write to this folder');
}

function isIntact(root) {
  try {
    refuseForeign(root);
    return index.files.every(({ path, size, sha256 }) => {
      const bytes = fs.readFileSync(join(root, path));
      return bytes.length === size && createHash('sha256').update(bytes).digest('hex') === sha256;
    });
  } catch {
    return false;
  }
}

/** Some systems mount folders in which files cannot be executed. */
function refuseUnloadable(root) {
  try {
    process.dlopen({ exports: {} }, join(root, index.native));
  } catch (error) {
    throw explained(
      `The libraries in ${root} cannot be loaded: ${error.message}\nIf that folder is mounted with "noexec", set OPBENCH_CACHE_DIR to another one.`,
      STORAGE,
    );
  }
}

function totalSize() {
  return index.files.reduce((sum, { size }) => sum + size, 0);
}

function explained(advice, exitCode) {
  return Object.assign(new Error(advice), { advice, exitCode });
}
