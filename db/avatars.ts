import type { Database } from 'better-sqlite3';

/** A picture as it is served. */
export interface Avatar {
  operator_id: number;
  /** SHA-256 of `body`, hex. */
  hash: string;
  /** WebP, 256 by 256. */
  body: Uint8Array;
  updated_at: string;
}

/** Pictures of operators, one each. */
export function avatarsIn(db: Database) {
  const set = db.prepare(
    `INSERT INTO avatars (operator_id, hash, body, updated_at)
     VALUES (@operator_id, @hash, @body, @updated_at)
     ON CONFLICT (operator_id) DO UPDATE
     SET hash = excluded.hash, body = excluded.body, updated_at = excluded.updated_at`,
  );
  const remove = db.prepare('DELETE FROM avatars WHERE operator_id = ?');
  const hashOf = db.prepare('SELECT hash FROM avatars WHERE operator_id = ?').pluck();
  const ofOperator = db.prepare('SELECT * FROM avatars WHERE operator_id = ?');
  const owners = db.prepare('SELECT operator_id FROM avatars WHERE hash = ?').pluck();

  return {
    set(avatar: Avatar) {
      set.run(avatar);
    },
    /** Removes an operator's picture; false if there was none. */
    remove: (operator_id: number) => remove.run(operator_id).changes > 0,
    hashOf: (operator_id: number) => hashOf.get(operator_id) as string | undefined,
    ofOperator: (operator_id: number) => ofOperator.get(operator_id) as Avatar | undefined,
    /** Whose picture has this hash: the same picture may be several people's. */
    owners: (hash: string) => owners.all(hash) as number[],
  };
}
