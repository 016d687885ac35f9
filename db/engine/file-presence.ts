import { statSync } from 'node:fs';
import Database from 'better-sqlite3';

/** How long what was seen is believed, in milliseconds. */
const BELIEVED_MS = 1_000;

/**
 * Remembers which file an open database is. SQLite goes on writing to a file that was removed or replaced, and
 * what it writes is lost when it is closed; only with other journals than this one does it look itself.
 *
 * @param nowMs A clock that nobody can set.
 * @returns What throws `SQLITE_READONLY_DBMOVED` while another file, or none, has the path.
 * @see {@link https://www.sqlite.org/rescode.html#readonly_dbmoved | SQLite's own look}
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
