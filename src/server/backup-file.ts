/** One backup: a board's whole database at one moment, in a file of its own that was read again and found whole. */
import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  statfsSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { bytesOf, copyDatabase } from '#db/copy.ts';
import { type Inspection, type LogHead, inspectDatabase } from '#db/inspection.ts';
import { syncFile, syncFolder } from './durable.ts';
import { storageFaultOf } from './storage-fault.ts';
import { checkChain } from './whole-log.ts';

export interface Backup {
  path: string;
  bytes: number;
  /** The last entry of the log; null before the first. */
  head: LogHead | null;
  operators: number;
}

/** Why there is no backup, in words for the keeper. */
export type BackupFault =
  /** A disk is full or cannot be written. */
  | 'disk'
  /** Something stands under its name. */
  | 'taken'
  /** What was copied is not whole. */
  | 'unsound';

/** A backup that was not made, or cannot be used; the message says why and what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
  readonly fault: BackupFault;

  constructor(fault: BackupFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/**
 * Copies a database beside its running server into a file that only its owner may read, under its final name
 * once it is durable and verified.
 *
 * @param over Whether a file that stands there is replaced.
 * @throws {BackupError} if there is no room, something stands there, or the copy is not whole.
 * @throws {StoreError} if the database cannot be read.
 */
export function writeBackup(database: string, path: string, { over = false } = {}): Backup {
  if (!over) refuseTaken(path);
  const before = withInspection(database, (board) => board.head());
  dropStaleDrafts(path);
  refuseFullDisk(dirname(path), bytesOf(database));
  const draft = `${path}.${process.pid}.tmp`;
  try {
    closeSync(openSync(draft, 'wx', 0o600));
    copyDatabase(database, draft);
    syncFile(draft);
    const found = verifyBackup(draft, before);
    placeFile(draft, path, over);
    syncFolder(dirname(path));
    return { path, bytes: statSync(path).size, ...found };
  } catch (error) {
    throw inWords(error, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Reads a whole backup: the file, its references, and the log with all hashes and digests.
 *
 * @param past An entry that it must hold.
 * @throws {BackupError} `unsound`, with the first of what is wrong.
 * @throws {StoreError} if it is no database of a board.
 */
export function verifyBackup(
  path: string,
  past: LogHead | null = null,
): Pick<Backup, 'head' | 'operators'> {
  return withInspection(path, (board) => {
    const { head, findings } = checkChain(board.entries());
    const isMissing = past !== null && board.hashAt(past.log_index) !== past.entry_hash;
    const [fault] = [
      ...board.integrity(),
      ...board.dangling(),
      ...findings.map(({ message }) => message),
      ...(isMissing ? [`entry ${past.log_index} of the log is missing`] : []),
    ];
    if (fault !== undefined) throw new BackupError('unsound', fault);
    return { head, operators: board.operators().length };
  });
}

/** Asks a database that is only read. */
export function withInspection<Result>(path: string, ask: (board: Inspection) => Result): Result {
  const board = inspectDatabase(path);
  try {
    return ask(board);
  } finally {
    board.close();
  }
}

/** @throws {BackupError} `disk` if a folder's disk has fewer bytes left. */
export function refuseFullDisk(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new BackupError(
    'disk',
    `${folder} has ${inMegabytes(free)} left, and ${inMegabytes(bytes)} are needed: make room, or name another disk`,
  );
}

export function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** What a process that was killed has left. */
function dropStaleDrafts(path: string): void {
  const folder = dirname(path);
  for (const name of readdirSync(folder)) {
    const [, pid] = name.startsWith(`${basename(path)}.`) ? (/\.(\d+)\.tmp$/.exec(name) ?? []) : [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true });
  }
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

function inWords(error: unknown, path: string): unknown {
  if (error instanceof BackupError && error.fault === 'unsound') {
    const message = `The copy of the board is not whole, and was not kept: ${error.message}. See what opbench-board doctor says`;
    return new BackupError('unsound', message);
  }
  const fault = storageFaultOf(error);
  if (fault === 'full') {
    return new BackupError('disk', `The disk of ${path} is full: make room, or name another disk`);
  }
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (!/^E[A-Z]+$/.test(code) && fault === null) return error;
  return new BackupError('disk', `${path} cannot be written: ${message}`);
}
