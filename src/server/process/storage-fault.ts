import type { Logger } from './logger.ts';

/** What keeps the database, or a file beside it, from being read or written. */
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

/** What an admin does about each. */
const ADVICE: Readonly<Record<StorageFault, string>> = {
  busy: 'The database stays locked: another program keeps it, which is to be ended, or the disk is too slow. The board then goes on by itself.',
  damaged: 'The database is damaged. Stop the board and restore the newest backup.',
  failed: 'The disk refuses to be read or written. Look at its space, limits and health.',
  full: 'The disk is full. Make room; the board then goes on by itself.',
  missing:
    'The database cannot be opened, or its file was removed or replaced. Stop the board, and see what became of the file, its folder, its disk and its owner.',
  read_only: 'The database may only be read. Let the disk and its files be written again.',
};

/** What kept the database or a file from being read or written; null for any other error. */
export function storageFaultOf(error: unknown): StorageFault | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return FAULTS.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}

/** Logs what failed: a fault of the storage by its name, with what to do; anything else with where it happened. */
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

/** Why something could not be written where an admin wants it, and what to do then. */

/** A place that cannot be written; the message says what to do. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError';
  /** Whether no such place can be, whoever asks; else the disk or its owner refuses it. */
  readonly isNoPlace: boolean;

  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.isNoPlace = NO_PLACE.includes(String((cause as NodeJS.ErrnoException).code));
  }
}

const NO_PLACE = ['EEXIST', 'EISDIR', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR'];

const FULL = 'its disk is full. Make room, or name another one';
const IN_THE_WAY = 'a file stands where a folder should';
const NOT_ALLOWED = 'you may not write there. Name another place, or run this as a user who may';

const UNWRITABLE_ADVICE: Readonly<Record<string, string>> = {
  EACCES: NOT_ALLOWED,
  EDQUOT: FULL,
  EEXIST: IN_THE_WAY,
  EFBIG: FULL,
  EISDIR: 'it is a folder. Name a file in it',
  ENAMETOOLONG: 'its name is too long. Give a shorter one',
  ENOENT: 'no folder can be made there, or it was taken away meanwhile. Name another place',
  ENOSPC: FULL,
  ENOTDIR: IN_THE_WAY,
  EPERM: NOT_ALLOWED,
  EROFS: 'its disk may only be read. Name another one',
};

/** The refusal of the system to write a path, in words; every other error as it is. */
export function unwritable(path: string, error: unknown): unknown {
  const words = whyUnwritable(path, error);
  return words === null ? error : new UnwritableError(words, error);
}

/** Null if it was not the system that refused. */
export function whyUnwritable(path: string, error: unknown): string | null {
  const { code = '', message } = error as NodeJS.ErrnoException;
  if (!/^E[A-Z_0-9]+$/.test(code)) return null;
  return `${path} cannot be written: ${UNWRITABLE_ADVICE[code] ?? message}`;
}
