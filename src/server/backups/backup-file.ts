/** One backup: a board's whole database at one moment, in one file that was read again and verified. */
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
import { migrationsPath } from '../config/config.ts';
import { findRoot } from '../config/installation.ts';
import { sizeText } from '#core/domain/text/figure.ts';
import { storageFaultOf, whyUnwritable } from '../process/storage-fault.ts';
import { checkChain } from '../verify/log.ts';
import { tileFaults } from '../verify/tiles.ts';

export interface Backup {
  path: string;
  bytes: number;
  /** The last entry of the log; null if the log is empty. */
  head: LogHead | null;
  operators: number;
}

/**
 * Copies a database, also while its server runs, into a file that only its owner can read. The file gets its final
 * name once it is durable and verified.
 *
 * @param over Whether an existing file is replaced.
 * @throws {BackupError} if the disk is full, the file exists, or the copy is incomplete.
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
 * Verifies a backup: the file, its schema and references, and all hashes and digests of the log and its tree.
 *
 * @param past A log entry that it must contain.
 * @throws {BackupError} `unsound`, with the first fault.
 * @throws {StoreError} if it is not a board's database.
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
      ...tileFaults(board),
      ...(isMissing ? [`entry ${past.log_index} of the log is missing`] : []),
    ];
    if (fault !== undefined) throw new BackupError('unsound', fault);
    return { head, operators: board.operatorCount() };
  });
}

/** Checked first, because SQLite fails in the middle of reading a damaged file. */
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

/** @throws {BackupError} `disk` if the folder's disk has less free space than this. */
export function refuseFullDisk(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free >= bytes) return;
  throw new BackupError(
    'disk',
    `${folder} has ${sizeText(free)} free, but ${sizeText(bytes)} are needed. Free some space, or choose another disk`,
  );
}

function inWords(error: unknown, path: string, database: string): unknown {
  if (error instanceof BackupError && error.fault === 'unsound') {
    const message = `The backup failed its check and was deleted: ${error.message}. Run opbench-board doctor`;
    return new BackupError('unsound', message);
  }
  const fault = storageFaultOf(error);
  if (fault === 'damaged') {
    const message = `${database} is damaged and cannot be backed up. Stop the board, then restore an earlier backup: opbench-board restore FILE --force`;
    return new BackupError('unsound', message);
  }
  if (fault === 'full') {
    return new BackupError(
      'disk',
      `The disk of ${path} is full. Free some space, or choose another disk`,
    );
  }
  const { message } = error as Error;
  const words = fault === null ? null : `Cannot write ${path}: ${message}`;
  const why = whyUnwritable(path, error) ?? words;
  return why === null ? error : new BackupError('disk', why, { cause: error });
}
