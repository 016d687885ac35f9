import type { Logger } from './logger.ts';

/** Why the database, or a file next to it, cannot be read or written. */
export type StorageFault = 'busy' | 'damaged' | 'failed' | 'full' | 'missing' | 'read_only';

const FAULTS: readonly (readonly [code: RegExp, StorageFault])[] = [
  [/^SQLITE_(?:BUSY|LOCKED)/, 'busy'],
  [/^SQLITE_READONLY_DBMOVED/, 'missing'],
  [/^(?:SQLITE_FULL|ENOSPC|EDQUOT|EFBIG)/, 'full'],
  [/^(?:SQLITE_READONLY|EROFS)/, 'read_only'],
  [/^SQLITE_CANTOPEN/, 'missing'],
  [/^SQLITE_(?:CORRUPT|NOTADB)/, 'damaged'],
  [/^SQLITE_(?:IOERR|NOMEM|PROTOCOL)/, 'failed'],
];

/** What an admin does about each fault. */
const ADVICE: Readonly<Record<StorageFault, string>> = {
  busy: 'The database is locked. Stop any other program that uses it, and check that the disk is not too slow. The board then continues by itself.',
  damaged: 'The database is damaged. Stop the board and restore the newest backup.',
  failed: 'The disk cannot be read or written. Check its free space, quotas and health.',
  full: 'The disk is full. Free some space. The board then continues by itself.',
  missing:
    'The database cannot be opened, or its file was removed or replaced. Stop the board, then check the file, its folder, its disk and its owner.',
  read_only: 'The database is read-only. Make the disk and the database files writable again.',
};

/** Returns why the database or a file could not be read or written; null for any other error. */
export function storageFaultOf(error: unknown): StorageFault | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return FAULTS.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}

/** Logs a failure: a storage fault by its name and with advice, any other error with its stack. */
export function logFailure(
  logger: Logger,
  event: string,
  error: unknown,
  fields: Readonly<Record<string, string | number>> = {},
): void {
  const fault = storageFaultOf(error);
  if (fault === null) logger.error(event, error, fields);
  else logger.warn(event, { ...fields, fault, advice: ADVICE[fault] });
}

/** A path that cannot be written. The message says what to do. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError';
  /** True if no such path can exist; false if the disk or its permissions prevent writing. */
  readonly isNoPlace: boolean;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.isNoPlace = NO_PLACE.includes(String((cause as NodeJS.ErrnoException).code));
  }
}

const NO_PLACE = ['EEXIST', 'EISDIR', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR'];

const FULL = 'its disk is full. Free some space, or choose another disk';
const IN_THE_WAY = 'part of the path is a file, not a folder. Choose another path';
const NOT_ALLOWED =
  'you do not have permission. Choose another path, or run this as a user with write access';

const UNWRITABLE_ADVICE: Readonly<Record<string, string>> = {
  EACCES: NOT_ALLOWED,
  EDQUOT: FULL,
  EEXIST: IN_THE_WAY,
  EFBIG: FULL,
  EISDIR: 'it is a folder. Give the path of a file in it',
  ENAMETOOLONG: 'its name is too long. Choose a shorter one',
  ENOENT: 'its folder cannot be created, or was removed in the meantime. Choose another path',
  ENOSPC: FULL,
  ENOTDIR: IN_THE_WAY,
  EPERM: NOT_ALLOWED,
  EROFS: 'its disk is read-only. Choose another disk',
};

/** Returns an UnwritableError for a system error about a path, and any other error unchanged. */
export function unwritable(path: string, error: unknown): unknown {
  const words = whyUnwritable(path, error);
  return words === null ? error : new UnwritableError(words, error);
}

/** Returns null if the error is not a system error. */
export function whyUnwritable(path: string, error: unknown): string | null {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (!/^E[A-Z_0-9]+$/.test(code)) return null;
  return `Cannot write ${path}: ${UNWRITABLE_ADVICE[code] ?? message}`;
}
