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

/** What a keeper does about each. */
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
