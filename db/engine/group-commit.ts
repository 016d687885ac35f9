import type { Database } from 'better-sqlite3';

/** The most writes that share one transaction, so that the event loop runs in between. */
const MAX_SHARED = 16;

interface Waiting {
  /** Does the work in a savepoint. Returns a function that settles its promise once everything is durable. */
  run: () => () => void;
  reject: (error: unknown) => void;
}

/**
 * Lets waiting writes share a commit, because making it durable costs as much as the work of a submission. Each write
 * is undone separately if it throws, and its promise resolves only when the write is durable.
 *
 * @param confirm Throws if nothing can be written now. All waiting writes are then rejected.
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
          // A full disk can undo the whole transaction, including earlier writes.
          if (!db.inTransaction) throw error;
          return () => reject(error);
        }
      };
      waiting.push({ run, reject });
      if (waiting.length === 1) setImmediate(flush);
    });
}
