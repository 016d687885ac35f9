import type { Database } from 'better-sqlite3';

/** What a provider elsewhere gave for a session. */
export interface UpstreamToken {
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
    /** Keeps a session's token, in place of the one before. */
    put(row: UpstreamToken & { session_id: string }) {
      put.run(row);
    },
    ofSession: (session_id: string) => ofSession.get(session_id) as UpstreamToken | undefined,
    /** Takes it upon the caller to check a token; false if somebody else does already. */
    claim: (session_id: string, checked_at: string, now: string) =>
      claim.run({ session_id, checked_at, now }).changes > 0,
  };
}
