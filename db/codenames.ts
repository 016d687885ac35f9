import type { Database } from 'better-sqlite3';

/** A name that an operator gave up. */
export interface FormerCodename {
  codename: string;
  operator_id: number;
  /** Until when nobody else can take it. */
  until: string;
}

/** Names that are kept back: those that operators gave up, and those of deleted accounts. */
export function codenamesIn(db: Database) {
  const former = db.prepare(
    'SELECT * FROM former_codenames WHERE codename = @codename AND until > @now',
  );
  const formerOf = db
    .prepare(
      `SELECT codename FROM former_codenames
       WHERE operator_id = @operator_id AND until > @now ORDER BY until DESC`,
    )
    .pluck();
  const addFormer = db.prepare(
    `INSERT INTO former_codenames (codename, operator_id, until)
     VALUES (@codename, @operator_id, @until)
     ON CONFLICT (codename) DO UPDATE SET operator_id = excluded.operator_id, until = excluded.until`,
  );
  const removeFormer = db.prepare('DELETE FROM former_codenames WHERE codename = ?');
  const reserved = db
    .prepare('SELECT 1 FROM reserved_codenames WHERE codename_hash = @hash AND until > @now')
    .pluck();
  const reserve = db.prepare(
    `INSERT INTO reserved_codenames (codename_hash, until) VALUES (@hash, @until)
     ON CONFLICT (codename_hash) DO UPDATE SET until = max(until, excluded.until)`,
  );

  return {
    /** Who gave a name up, while it is kept back. */
    former: (codename: string, now: string) =>
      former.get({ codename, now }) as FormerCodename | undefined,
    /** The names that an operator gave up, while they are kept back, the newest first. */
    formerOf: (operator_id: number, now: string) => formerOf.all({ operator_id, now }) as string[],
    addFormer(row: FormerCodename) {
      addFormer.run(row);
    },
    /** Frees a name, because its operator takes it back. */
    removeFormer(codename: string) {
      removeFormer.run(codename);
    },
    /** Whether the name behind a keyed hash was a deleted account's. */
    isReserved: (hash: string, now: string) => reserved.get({ hash, now }) === 1,
    /** Keeps the name behind a keyed hash back. */
    reserve(hash: string, until: string) {
      reserve.run({ hash, until });
    },
  };
}
