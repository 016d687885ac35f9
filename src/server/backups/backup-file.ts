/** One backup: a board's whole database at one moment, in a file of its own that was read again and found whole. */
import { closeSync, openSync, rmSync, statSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { bytesOf, copyDatabase } from '#db/engine/copy.ts';
import { type DatabaseInspection, type LogHead, inspectDatabase } from '#db/engine/inspection.ts';
import { BackupError } from '../process/backup-error.ts';
import {
  temporaryPathOf,
  removeStaleTemporaryFiles,
  placeFile,
  refuseTaken,
  syncFile,
  syncFolder,
} from '../process/atomic-file.ts';
import { findRoot, migrationsPath } from '../config/config.ts';
import { sizeText } from '#core/domain/text/figure.ts';
import { storageFaultOf, whyUnwritable } from '../process/storage-fault.ts';
import { checkChain } from '../verify/log.ts';

export interface Backup {
  path: string;
  bytes: number;
  /** The last entry of the log; null before the first. */
  head: LogHead | null;
  operators: number;
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
  removeStaleTemporaryFiles(path);
  const draft = temporaryPathOf(path);
  try {
    const before = withInspection(database, (board) => board.head());
    refuseFullDisk(dirname(path), bytesOf(database));
    closeSync(openSync(draft, 'wx', 0o600));
    copyDatabase(database, draft);
    syncFile(draft);
    const found = verifyBackup(draft, before);
    placeFile(draft, path, over);
    syncFolder(dirname(path));
    return { path, bytes: statSync(path).size, ...found };
  } catch (error) {
    throw inWords(error, path, database);
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Reads a whole backup: the file, its tables, its references, and the log with all hashes and digests.
 *
 * @param past An entry that it must hold.
 * @throws {BackupError} `unsound`, with the first of what is wrong.
 * @throws {StoreError} if it is no database of a board.
 */
export function verifyBackup(path: string, past: LogHead | null = null) {
  return withInspection(path, (board) => {
    refuseDamage(board);
    const { head, findings } = checkChain(board.entries());
    const isMissing = past !== null && board.hashAt(past.log_index) !== past.entry_hash;
    const [fault] = [
      ...(board.schema(migrationsPath({ root: findRoot() })) ?? []),
      ...board.dangling(),
      ...findings.map(({ message }) => message),
      ...(isMissing ? [`entry ${past.log_index} of the log is missing`] : []),
    ];
    if (fault !== undefined) throw new BackupError('unsound', fault);
    return { head, operators: board.operatorCount() };
  });
}

/** What is damaged cannot be read any further: SQLite would refuse in the middle of it. */
function refuseDamage(board: DatabaseInspection): void {
  const [fault] = board.integrity();
  if (fault !== undefined) throw new BackupError('unsound', fault);
}

export function withInspection<Result>(
  path: string,
  ask: (board: DatabaseInspection) => Result,
): Result {
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
    `${folder} has ${sizeText(free)} left, and ${sizeText(bytes)} are needed: make room, or name another disk`,
  );
}

function inWords(error: unknown, path: string, database: string): unknown {
  if (error instanceof BackupError && error.fault === 'unsound') {
    const message = `The copy of the board is not whole, and was not kept: ${error.message}. See what opbench-board doctor says`;
    return new BackupError('unsound', message);
  }
  const fault = storageFaultOf(error);
  if (fault === 'damaged') {
    const message = `${database} is damaged, so that no backup can be made of it. Stop the board and restore one that was made before: opbench-board restore FILE --force`;
    return new BackupError('unsound', message);
  }
  if (fault === 'full') {
    return new BackupError('disk', `The disk of ${path} is full: make room, or name another disk`);
  }
  const { message } = error as Error;
  const words = fault === null ? null : `${path} cannot be written: ${message}`;
  const why = whyUnwritable(path, error) ?? words;
  return why === null ? error : new BackupError('disk', why);
}
