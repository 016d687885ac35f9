/** Temporary files that are written next to their final path and renamed when complete. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { BackupError } from './backup-error.ts';

/** The name of a temporary file of this program, with the ID of the process that writes it. */
const TEMPORARY_NAME = /\.(\d+)\.opbench\.tmp(?:-wal|-shm|-journal)?$/;

export function temporaryPathOf(path: string): string {
  return `${path}.${process.pid}.opbench.tmp`;
}

export function isTemporaryFile(name: string): boolean {
  return TEMPORARY_NAME.test(name);
}

/**
 * Removes temporary files that killed processes left in a file's folder: those for the same file, and those for any
 * other file if they were last written more than a day ago. Process IDs are not comparable across containers.
 */
export function removeStaleTemporaryFiles(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    const [, pid] = TEMPORARY_NAME.exec(name) ?? [];
    if (pid === undefined) continue;
    const isOwn = name.startsWith(`${basename(path)}.${pid}.`) && !isOther(Number(pid));
    if (isOwn || isIdle(join(folder, name))) rmSync(join(folder, name), { force: true });
  }
}

function isIdle(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > DAY_MS;
}

function isOther(pid: number): boolean {
  return pid !== process.pid && isRunning(pid);
}

/** Whether a process exists. One of another user exists, but may not be signaled. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Moves a temporary file to its final path. Unlike renaming, a link never replaces a file that was created meanwhile.
 */
export function placeFile(draft: string, path: string, over: boolean): void {
  if (over) return renameSync(draft, path);
  try {
    linkSync(draft, path);
  } catch (error) {
    // Some file systems have no links.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(path)) throw taken(path);
    renameSync(draft, path);
  }
}

/** The steps of replacing a file, in their order. Tests replace them to fail in between. */
export const REPLACING = {
  write: (path: string, text: string) => writeFileSync(path, text, { mode: 0o600 }),
  sync: syncFile,
  rename: renameSync,
  syncFolder,
};

/** Writes a text file that only its owner can read, or replaces it. Returns when the new one is durable. */
export function replaceFile(path: string, text: string, steps = REPLACING): void {
  const draft = temporaryPathOf(path);
  steps.write(draft, text);
  steps.sync(draft);
  steps.rename(draft, path);
  steps.syncFolder(dirname(path));
}

export function refuseTaken(path: string): void {
  if (existsSync(path)) throw taken(path);
}

function taken(path: string): BackupError {
  return new BackupError('taken', `${path} already exists. Choose another file, or add --force`);
}

/** Makes a file's contents durable. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the names in a folder durable where the platform can. Windows and some network file systems cannot. */
export function syncFolder(path: string): void {
  let folder: number | null = null;
  try {
    folder = openSync(path, 'r');
    fsyncSync(folder);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EBADF', 'EINVAL', 'EISDIR', 'ENOTSUP', 'EPERM'].includes(code)) throw error;
  } finally {
    if (folder !== null) closeSync(folder);
  }
}

const CHUNK_BYTES = 1024 * 1024;

/** Copies a file into a new one that only its owner can read, from the start and whatever the mode of the original. */
export function copyPrivately(path: string, copy: string): void {
  const source = openSync(path, 'r');
  try {
    const target = openSync(copy, 'wx', 0o600);
    try {
      copyBytes(source, target);
    } finally {
      closeSync(target);
    }
  } finally {
    closeSync(source);
  }
}

function copyBytes(source: number, target: number): void {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let length = readSync(source, chunk); length > 0; length = readSync(source, chunk)) {
    for (let at = 0; at < length;) at += writeSync(target, chunk, at, length - at);
  }
}
