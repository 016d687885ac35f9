import type { Database } from 'better-sqlite3';

/** The most that share one transaction, so that the event loop turns in between. */
const MAX_SHARED = 16;

interface Waiting {
  /** Does the work in a savepoint; returns how to settle its promise once all is durable. */
  run: () => () => void;
  reject: (error: unknown) => void;
}

/**
 * Lets writes that wait at the same time share a commit, because making it durable costs as much as
 * a submission's own work. Each is undone alone if it throws; its promise is kept only when it is durable.
 *
 * @param confirm Throws if nothing may be written now; then all are refused.
 */
export function groupCommit(
  db: Database,
  confirm: () => void = () => undefined,
): <Result>(work: () => Result) => Promise<Result> {
  const waiting: Waiting[] = [];
  const runAll = db.transaction((shared: Waiting[]) => shared.map(({ run }) => run()));

  function flush(): void {
    const shared = waiting.splice(0, MAX_SHARED);
    if (waiting.length > 0) setImmediate(flush);
    try {
      confirm();
      runAll.immediate(shared).forEach((settle) => settle());
    } catch (error) {
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
          // A full disk can undo the whole transaction, and with it what went before.
          if (!db.inTransaction) throw error;
          return () => reject(error);
        }
      };
      waiting.push({ run, reject });
      if (waiting.length === 1) setImmediate(flush);
    });
}
