import type { Database } from 'better-sqlite3';
import type { WriteLock } from './write-lock.ts';

/** The most writes that share one transaction, so that the event loop runs in between. */
const MAX_SHARED = 16;

/** How often waiting writes try to begin a transaction, and for how long, before they fail. */
const RETRY_MS = 2;
const PATIENCE_MS = 5_000;

/** After this, SQLite is asked even if another thread has the lock, because that thread may have been ended. */
const DOUBT_MS = 50;

interface Waiting {
  /** Does the work in a savepoint. Returns a function that settles its promise once everything is durable. */
  run: () => () => void;
  reject: (error: unknown) => void;
}

/**
 * Lets waiting writes share a commit, because making it durable costs as much as the work of a submission. Each write
 * is undone separately if it throws, and its promise resolves only when the write is durable. While another thread or
 * process writes, they wait without blocking the event loop.
 *
 * @param confirm Throws if nothing can be written now. All waiting writes are then rejected.
 */
export function groupCommit(
  db: Database,
  lock: WriteLock,
  confirm: () => void = () => undefined,
): <Result>(work: () => Result) => Promise<Result> {
  const waiting: Waiting[] = [];
  const transactions = transactionsOf(db, lock);
  let waitingSinceMs: number | null = null;

  function flush(): void {
    try {
      waitingSinceMs ??= performance.now();
      if (!transactions.begin(performance.now() - waitingSinceMs)) {
        setTimeout(flush, RETRY_MS);
        return;
      }
    } catch (error) {
      waitingSinceMs = null;
      return waiting.splice(0).forEach(({ reject }) => reject(error));
    }
    waitingSinceMs = null;
    const shared = waiting.splice(0, MAX_SHARED);
    if (waiting.length > 0) setImmediate(flush);
    try {
      confirm();
      const settles = shared.map(({ run }) => run());
      transactions.commit();
      settles.forEach((settle) => settle());
    } catch (error) {
      transactions.rollback();
      shared.forEach(({ reject }) => reject(error));
    }
  }

  return (work) =>
    new Promise((resolve, reject) => {
      const savepoint = db.transaction(work);
      const run = () => {
        try {
          const result = savepoint();
          return () => resolve(result);
        } catch (error) {
          // A full disk can undo the whole transaction, including earlier writes.
          if (!db.inTransaction) throw error;
          return () => reject(error);
        }
      };
      waiting.push({ run, reject });
      if (waiting.length === 1) setImmediate(flush);
    });
}

/** Write transactions that begin without waiting. */
function transactionsOf(db: Database, lock: WriteLock) {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const timeoutMs = db.pragma('busy_timeout', { simple: true }) as number;

  function beginNow(): void {
    db.pragma('busy_timeout = 0');
    try {
      begin.run();
    } finally {
      db.pragma(`busy_timeout = ${timeoutMs}`);
    }
  }

  return {
    /**
     * Returns false if another connection writes.
     *
     * @throws If this is so after long waiting.
     */
    begin(waitedMs: number): boolean {
      const isOwn = lock.tryEnter();
      if (!isOwn && waitedMs < DOUBT_MS) return false;
      try {
        beginNow();
        lock.take();
        return true;
      } catch (error) {
        if (isOwn) lock.leave();
        if (isBusy(error) && waitedMs < PATIENCE_MS) return false;
        lock.giveUp();
        throw error;
      }
    },
    commit() {
      commit.run();
      lock.leave();
    },
    rollback() {
      try {
        if (db.inTransaction) rollback.run();
      } finally {
        lock.leave();
      }
    },
  };
}

function isBusy(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY');
}
