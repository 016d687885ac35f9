import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Place } from './cache-folders.ts';

/** The program's files. */
export interface Contents {
  /** Names the folder with the files; differs for each version and content. */
  key: string;
  /** The path of the library that is loaded as a test. */
  native: string;
  files: readonly { path: string; mode: number; size: number; sha256: string }[];
  /** The bytes of all files, one after the other. */
  bytes: () => Uint8Array;
}

/** The files cannot be unpacked or loaded. The message says what to do. */
export class UnpackError extends Error {
  override readonly name = 'UnpackError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** As in the exit codes of `opbench-board`. */
const USAGE = 1;
const STORAGE = 2;

/** How long unpacking can take. Older temporary folders are from a process that was killed. */
const ABANDONED_MS = 600_000;
const TEMPORARY = '.unpacking-';

/**
 * The folder with the program's files, after verifying each of them. Unpacks them into the first possible place if
 * no place has them.
 *
 * @throws {UnpackError} if no place can be written, or the files cannot be loaded from there.
 */
export function unpackedRoot(places: readonly Place[], contents: Contents): string {
  const roots = places.map(({ folder }) => join(folder, contents.key));
  const root = roots.find((path) => isIntact(path, contents)) ?? unpackInto(places, contents);
  refuseUnloadable(join(root, contents.native));
  return root;
}

/** Whether a folder has all files unchanged, and only this user or root can change them or exchange the folder. */
export function isIntact(root: string, { files }: Contents): boolean {
  try {
    [dirname(root), root].forEach(refuseForeign);
    return files.every(({ path, sha256 }) => digestOf(join(root, path)) === sha256);
  } catch {
    return false;
  }
}

/** Where parts of files are read to. Whole files would stay in the memory of the server. */
const PART = Buffer.alloc(256 * 1024);

function digestOf(path: string): string {
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  try {
    for (let read = readSync(file, PART); read > 0; read = readSync(file, PART)) {
      hash.update(PART.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

function unpackInto(places: readonly Place[], contents: Contents): string {
  const failures: string[] = [];
  for (const { folder } of places) {
    try {
      mkdirSync(dirname(folder), { recursive: true });
      return readableForAll(() => unpack(folder, contents));
    } catch (error) {
      failures.push(`  ${folder}: ${(error as Error).message}`);
    }
  }
  const megabytes = Math.ceil(contents.files.reduce((sum, { size }) => sum + size, 0) / 1e6);
  throw new UnpackError(
    `The program's files cannot be unpacked. Set OPBENCH_CACHE_DIR to a folder with ${megabytes} MB of free space that this user can write\n${failures.join('\n')}`,
    places.some(({ isChosen }) => isChosen) ? USAGE : STORAGE,
  );
}

/** Ignores the user's file mode mask, because root's commands become another user, who loads what root unpacked. */
function readableForAll<Result>(work: () => Result): Result {
  const mask = process.umask(0o022);
  try {
    return work();
  } finally {
    process.umask(mask);
  }
}

/** Writes all files into a temporary folder, then renames it, so that a half-written folder is never used. */
function unpack(folder: string, contents: Contents): string {
  mkdirSync(folder, { recursive: true });
  refuseForeign(folder);
  removeAbandoned(folder);
  const temporary = mkdtempSync(join(folder, TEMPORARY));
  try {
    chmodSync(temporary, 0o755);
    writeFiles(temporary, contents);
    const root = join(folder, contents.key);
    replace(temporary, root, contents);
    return root;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function writeFiles(folder: string, { files, bytes }: Contents): void {
  const all = bytes();
  let at = 0;
  for (const { path, mode, size } of files) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, all.subarray(at, at + size), { mode });
    at += size;
  }
}

/** Another process may have unpacked the same files, and a damaged folder may be in the way. */
function replace(temporary: string, root: string, contents: Contents): void {
  for (const isLast of [false, true]) {
    try {
      return renameSync(temporary, root);
    } catch (error) {
      if (isIntact(root, contents)) return;
      if (isLast) throw error;
      rmSync(root, { recursive: true, force: true });
    }
  }
}

function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => each.startsWith(TEMPORARY))) {
    const path = join(folder, name);
    // Another process may have finished with it meanwhile.
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

/** Refuses a folder in which another user could exchange files between their verification and their use. */
function refuseForeign(folder: string): void {
  const { uid, mode } = lstatSync(folder);
  const isOurs = uid === 0 || uid === process.getuid?.();
  if (!isOurs || (mode & 0o022) !== 0) throw new Error('other users can write to this folder');
}

/** Some systems mount folders in a way that forbids executing files in them. */
function refuseUnloadable(library: string): void {
  try {
    process.dlopen({ exports: {} }, library);
  } catch (error) {
    throw new UnpackError(
      `The program's libraries cannot be loaded: ${(error as Error).message}\nIf their folder is mounted with "noexec", set OPBENCH_CACHE_DIR to another one`,
      STORAGE,
    );
  }
}
