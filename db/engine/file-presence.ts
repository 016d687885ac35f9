import { statSync } from 'node:fs';
import Database from 'better-sqlite3';

/** How long a result is reused, in milliseconds. */
const BELIEVED_MS = 1_000;

/**
 * Checks that a path still leads to the file that is open. SQLite continues to write to a file that was removed or
 * replaced, and those writes are lost when it is closed. With a write-ahead log, SQLite does not check this itself.
 *
 * @param nowMs A monotonic clock.
 * @returns A function that throws `SQLITE_READONLY_DBMOVED` if the path leads to another file or to none.
 * @see {@link https://www.sqlite.org/rescode.html#readonly_dbmoved | SQLite's own check}
 */
export function filePresence(path: string, nowMs = () => performance.now()): () => void {
  if (path === ':memory:') return () => undefined;
  const opened = identityOf(path);
  let seenMs = nowMs();
  let isThere = true;
  return () => {
    if (nowMs() - seenMs >= BELIEVED_MS) {
      isThere = identityOf(path) === opened;
      seenMs = nowMs();
    }
    if (isThere) return;
    const message = `${path} was removed or replaced while it was open`;
    throw new Database.SqliteError(message, 'SQLITE_READONLY_DBMOVED');
  };
}

function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev}:${found.ino}` : null;
}
