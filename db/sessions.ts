import type { Database } from 'better-sqlite3';
import type { SessionMethod } from '#core/schema/account.ts';
import { returned } from './returned.ts';

export interface SessionRow {
  id_hash: string;
  operator_id: number;
  created_at: string;
  expires_at: string;
  /** What its operator revokes it by. */
  public_id: string;
  /** How it began; null where that is not known. */
  method: SessionMethod | null;
  /** The kind of browser; null where that is not known. */
  label: string | null;
  last_seen_at: string | null;
}

/** Sessions that an operator keeps at once; the oldest end first. */
const MAX_OF_OPERATOR = 100;

/** Sign-in sessions, known only by the SHA-256 of their id. */
export function sessionsIn(db: Database) {
  const insert = db.prepare(
    `INSERT INTO sessions
       (id_hash, operator_id, created_at, expires_at, public_id, method, label, last_seen_at)
     VALUES
       (@id_hash, @operator_id, @created_at, @expires_at, @public_id, @method, @label, @last_seen_at)`,
  );
  const byHash = db.prepare('SELECT * FROM sessions WHERE id_hash = ?');
  const ofOperator = db.prepare(
    `SELECT * FROM sessions WHERE operator_id = ?
     ORDER BY coalesce(last_seen_at, created_at) DESC, created_at DESC`,
  );
  const renew = db.prepare('UPDATE sessions SET expires_at = @expires_at WHERE id_hash = @id_hash');
  const see = db.prepare('UPDATE sessions SET last_seen_at = @now WHERE id_hash = @id_hash');
  const remove = db.prepare('DELETE FROM sessions WHERE id_hash = ?');
  const revoke = db.prepare(
    'DELETE FROM sessions WHERE operator_id = @operator_id AND public_id = @public_id RETURNING *',
  );
  const revokeOthers = db.prepare(
    'DELETE FROM sessions WHERE operator_id = @operator_id AND public_id <> @public_id RETURNING *',
  );
  const removeOfOperator = db.prepare('DELETE FROM sessions WHERE operator_id = ?');
  const prune = db.prepare(
    `DELETE FROM sessions WHERE operator_id = @operator_id AND id_hash NOT IN (
       SELECT id_hash FROM sessions WHERE operator_id = @operator_id
       ORDER BY created_at DESC LIMIT @most)`,
  );

  return {
    /** Keeps a session; the oldest of an operator who has too many end. */
    add(row: SessionRow) {
      insert.run(row);
      prune.run({ operator_id: row.operator_id, most: MAX_OF_OPERATOR });
    },
    byHash: (id_hash: string) => byHash.get(id_hash) as SessionRow | undefined,
    /** An operator's, the one seen last first. */
    ofOperator: (operator_id: number) => ofOperator.all(operator_id) as SessionRow[],
    renew: (id_hash: string, expires_at: string) => void renew.run({ id_hash, expires_at }),
    see: (id_hash: string, now: string) => void see.run({ id_hash, now }),
    remove: (id_hash: string) => void remove.run(id_hash),
    /** Ends one of an operator's sessions; undefined if there is no such. */
    revoke: (operator_id: number, public_id: string) =>
      returned(revoke, { operator_id, public_id }) as SessionRow | undefined,
    /** Ends all of an operator's sessions but one, and returns them. */
    revokeOthers: (operator_id: number, public_id: string) =>
      revokeOthers.all({ operator_id, public_id }) as SessionRow[],
    removeOfOperator: (operator_id: number) => void removeOfOperator.run(operator_id),
  };
}

interface UpstreamToken {
  /** Encrypted. */
  refresh_token: Uint8Array;
  /** When the provider last said that it still holds. */
  checked_at: string;
}

/** Refresh tokens of a provider elsewhere, by the public id of the session that they are of. */
export function upstreamTokensIn(db: Database) {
  const put = db.prepare(
    `INSERT INTO upstream_tokens (session_id, refresh_token, checked_at)
     SELECT @session_id, @refresh_token, @checked_at
     WHERE EXISTS (SELECT 1 FROM sessions WHERE public_id = @session_id)
     ON CONFLICT DO UPDATE SET refresh_token = excluded.refresh_token,
       checked_at = excluded.checked_at`,
  );
  const ofSession = db.prepare(
    'SELECT refresh_token, checked_at FROM upstream_tokens WHERE session_id = ?',
  );
  const claim = db.prepare(
    `UPDATE upstream_tokens SET checked_at = @now
     WHERE session_id = @session_id AND checked_at = @checked_at`,
  );

  return {
    put: (row: UpstreamToken & { session_id: string }) => void put.run(row),
    ofSession: (session_id: string) => ofSession.get(session_id) as UpstreamToken | undefined,
    /** Takes it upon the caller to check a token; false if somebody else does already. */
    claim: (session_id: string, checked_at: string, now: string) =>
      claim.run({ session_id, checked_at, now }).changes > 0,
  };
}
