/** Drafts: files that grow beside the place that is for them, and take it once they are whole. */
import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { BackupError } from './backup-error.ts';

/** Whose name ends so is a draft of this program, and of the process with that number. */
const DRAFT_NAME = /\.(\d+)\.opbench\.tmp(?:-wal|-shm|-journal)?$/;

/** The name of this process's draft of a file. */
export function draftOf(path: string): string {
  return `${path}.${process.pid}.opbench.tmp`;
}

export function isDraft(name: string): boolean {
  return DRAFT_NAME.test(name);
}

/**
 * Drops what processes that were killed have left in the folder of a file: drafts of that file, and drafts of any
 * other that nobody has written for a day. Numbers of processes tell nothing across containers.
 */
export function dropStaleDrafts(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    const [, pid] = DRAFT_NAME.exec(name) ?? [];
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

/** @throws {BackupError} `taken` if something stands under a name. */
export function refuseTaken(path: string): void {
  if (existsSync(path)) throw taken(path);
}

function taken(path: string): BackupError {
  return new BackupError('taken', `${path} is there already: name another file, or add --force`);
}
