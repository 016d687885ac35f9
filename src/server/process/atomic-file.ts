/** Drafts: files that grow beside the place that is for them, and take it once they are whole. */
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
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { BackupError } from './backup-error.ts';

/** Whose name ends so is a draft of this program, and of the process with that number. */
const TEMPORARY_NAME = /\.(\d+)\.opbench\.tmp(?:-wal|-shm|-journal)?$/;

export function temporaryPathOf(path: string): string {
  return `${path}.${process.pid}.opbench.tmp`;
}

export function isTemporaryFile(name: string): boolean {
  return TEMPORARY_NAME.test(name);
}

/**
 * Drops what processes that were killed have left in the folder of a file: drafts of that file, and drafts of any
 * other that nobody has written for a day. Numbers of processes tell nothing across containers.
 */
export function removeStaleTemporaryFiles(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    const [, pid] = TEMPORARY_NAME.exec(name) ?? [];
    if (pid === undefined) continue;
    const isOwn = name.startsWith(`${basename(path)}.${pid}.`) && !isRunning(Number(pid));
    if (isOwn || isIdle(join(folder, name))) rmSync(join(folder, name), { force: true });
  }
}

function isIdle(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > DAY_MS;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Gives a draft its name; a link, unlike a renaming, never replaces what came to stand there meanwhile. */
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

export function refuseTaken(path: string): void {
  if (existsSync(path)) throw taken(path);
}

function taken(path: string): BackupError {
  return new BackupError('taken', `${path} is there already: name another file, or add --force`);
}

/** Makes what was written into a file last. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the names in a folder last, where the platform can: Windows and some network file systems sync none. */
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

/** Copies a file into a new one that only its owner may read, at no moment anybody else, whatever the mode of the first. */
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
