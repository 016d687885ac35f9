/** What keeps the database from being read or written. */
export type StorageFault = 'busy' | 'damaged' | 'failed' | 'full' | 'missing' | 'read_only';

const FAULTS: readonly (readonly [code: RegExp, StorageFault])[] = [
  [/^SQLITE_(?:BUSY|LOCKED)/, 'busy'],
  [/^SQLITE_FULL/, 'full'],
  [/^SQLITE_READONLY/, 'read_only'],
  [/^SQLITE_CANTOPEN/, 'missing'],
  [/^SQLITE_(?:CORRUPT|NOTADB)/, 'damaged'],
  [/^SQLITE_(?:IOERR|NOMEM|PROTOCOL)/, 'failed'],
];

/** What kept the database from being read or written; null for any other error. */
export function storageFaultOf(error: unknown): StorageFault | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return FAULTS.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}
