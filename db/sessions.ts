import type { Database } from 'better-sqlite3';
import type { SessionMethod } from '#core/schema/account.ts';
import { statementsIn } from './statements.ts';

export interface SessionRow {
  id_hash: string;
  operator_id: number;
  created_at: string;
  expires_at: string;
  /** The ID by which its operator revokes it. */
  public_id: string;
  /** The sign-in method; null if it is unknown. */
  method: SessionMethod | null;
  /** The kind of browser; null if it is unknown. */
  label: string | null;
  last_seen_at: string | null;
  /** When the person last proved who they are; null for sessions of earlier versions. */
  signed_in_at: string | null;
}

/** The most sessions of an operator. The oldest end first. */
const MAX_OF_OPERATOR = 100;

/** Sign-in sessions, whose IDs are stored only as SHA-256. */
export function sessionsIn(db: Database) {
  const sql = statementsIn(db);
  const insert = sql.run<(of: object) => void>(`
    INSERT INTO sessions
      (id_hash, operator_id, created_at, expires_at, public_id, method, label, last_seen_at,
        signed_in_at)
    VALUES
      (@id_hash, @operator_id, @created_at, @expires_at, @public_id, @method, @label, @last_seen_at,
        @signed_in_at)`);
  const renew = sql.run<(of: object) => void>(`
    UPDATE sessions SET expires_at = @expires_at WHERE id_hash = @id_hash`);
  const see = sql.run<(of: object) => void>(`
    UPDATE sessions SET last_seen_at = @now WHERE id_hash = @id_hash`);
  const prune = sql.run<(of: object) => void>(`
    DELETE FROM sessions WHERE operator_id = @operator_id AND id_hash NOT IN (
      SELECT id_hash FROM sessions WHERE operator_id = @operator_id
      ORDER BY created_at DESC LIMIT @most)`);

  return {
    /** Adds a session. If the operator has too many, the oldest end. */
    add(row: SessionRow) {
      insert(row);
      prune({ operator_id: row.operator_id, most: MAX_OF_OPERATOR });
    },
    byHash: sql.get<(id_hash: string) => SessionRow | undefined>(`
      SELECT * FROM sessions WHERE id_hash = ?`),
    /** An operator's sessions, the most recently used first. */
    ofOperator: sql.all<(operator_id: number) => SessionRow[]>(`
      SELECT * FROM sessions WHERE operator_id = ?
      ORDER BY coalesce(last_seen_at, created_at) DESC, created_at DESC`),
    renew: (id_hash: string, expires_at: string) => renew({ id_hash, expires_at }),
    see: (id_hash: string, now: string) => see({ id_hash, now }),
    remove: sql.run<(id_hash: string) => void>('DELETE FROM sessions WHERE id_hash = ?'),
    /** Ends one of an operator's sessions. Returns undefined if it does not exist. */
    revoke: sql.get<(operator_id: number, public_id: string) => SessionRow | undefined>(`
      DELETE FROM sessions WHERE operator_id = @operator_id AND public_id = @public_id RETURNING *`),
    /** Ends all of an operator's sessions but one, and returns them. */
    revokeOthers: sql.all<(operator_id: number, public_id: string) => SessionRow[]>(`
      DELETE FROM sessions WHERE operator_id = @operator_id AND public_id <> @public_id RETURNING *`),
    removeOfOperator: sql.run<(operator_id: number) => void>(`
      DELETE FROM sessions WHERE operator_id = ?`),
  };
}

interface UpstreamToken {
  /** Encrypted. */
  refresh_token: Uint8Array;
  /** When the provider last confirmed it. */
  checked_at: string;
}

/** Refresh tokens of an external provider, by the public ID of their session. */
export function upstreamTokensIn(db: Database) {
  const sql = statementsIn(db);
  const claim = sql.did<(of: object) => boolean>(`
    UPDATE upstream_tokens SET checked_at = @now
    WHERE session_id = @session_id AND checked_at = @checked_at`);

  return {
    put: sql.run<(row: UpstreamToken & { session_id: string }) => void>(`
      INSERT INTO upstream_tokens (session_id, refresh_token, checked_at)
      SELECT @session_id, @refresh_token, @checked_at
      WHERE EXISTS (SELECT 1 FROM sessions WHERE public_id = @session_id)
      ON CONFLICT DO UPDATE SET refresh_token = excluded.refresh_token,
        checked_at = excluded.checked_at`),
    ofSession: sql.get<(session_id: string) => UpstreamToken | undefined>(`
      SELECT refresh_token, checked_at FROM upstream_tokens WHERE session_id = ?`),
    /** Claims the check of a token for the caller. Returns false if another caller has claimed it. */
    claim: (session_id: string, checked_at: string, now: string) =>
      claim({ session_id, checked_at, now }),
  };
}
