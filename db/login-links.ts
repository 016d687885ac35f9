import type { Database } from 'better-sqlite3';
import { returned } from './returned.ts';

/** One-time sign-in links, known only by the SHA-256 of their token. */
export function loginLinksIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO login_links (token_hash, operator_id, created_at, expires_at)
     VALUES (@token_hash, @operator_id, @created_at, @expires_at)`,
  );
  const operatorOf = db
    .prepare(
      `SELECT operator_id FROM login_links
       WHERE token_hash = ? AND used_at IS NULL AND expires_at > ?`,
    )
    .pluck();
  const use = db
    .prepare(
      `UPDATE login_links SET used_at = @now
       WHERE token_hash = @token_hash AND used_at IS NULL AND expires_at > @now
       RETURNING operator_id`,
    )
    .pluck();

  return {
    add(link: { token_hash: string; operator_id: number; created_at: string; expires_at: string }) {
      insert.run(link);
    },
    /** Whose link it is, while it can be used. */
    operatorOf: (token_hash: string, now: string) =>
      operatorOf.get(token_hash, now) as number | undefined,
    /** Uses a link up and tells whose it was; undefined if it cannot be used. */
    use: (token_hash: string, now: string) =>
      returned(use, { token_hash, now }) as number | undefined,
  };
}
