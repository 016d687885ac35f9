import type { Database } from 'better-sqlite3';
import { statementsIn } from './statements.ts';

export interface InvitationRow {
  id: string;
  token_hash: string;
  /** What it is for, as the admin wrote it. */
  label: string;
  cohort_id: string | null;
  most_uses: number;
  /** How many accounts it created. */
  uses: number;
  /** The account that invites; null for a command, and after the account was deleted. */
  operator_id: number | null;
  created_at: string;
  expires_at: string;
  /** When it is deleted, so that lists show it for a while. */
  forget_at: string;
  revoked_at: string | null;
}

/** Invitations, whose tokens are stored only as SHA-256. */
export function invitationsIn(db: Database) {
  const sql = statementsIn(db);
  const use = sql.get<(of: object) => InvitationRow | undefined>(`
    UPDATE invitations SET uses = uses + 1
    WHERE token_hash = @token_hash AND uses < most_uses AND revoked_at IS NULL AND expires_at > @now
    RETURNING *`);
  const revoke = sql.changes<(of: object) => number>(`
    UPDATE invitations SET revoked_at = @now WHERE id = @id AND revoked_at IS NULL`);

  return {
    add: sql.run<(row: Omit<InvitationRow, 'revoked_at' | 'uses'>) => void>(`
      INSERT INTO invitations (id, token_hash, label, cohort_id, most_uses, operator_id, created_at,
        expires_at, forget_at)
      VALUES (@id, @token_hash, @label, @cohort_id, @most_uses, @operator_id, @created_at,
        @expires_at, @forget_at)`),
    byToken: sql.get<(token_hash: string) => InvitationRow | undefined>(`
      SELECT * FROM invitations WHERE token_hash = ?`),
    byId: sql.get<(id: string) => InvitationRow | undefined>(`
      SELECT * FROM invitations WHERE id = ?`),
    /** The newest invitations. */
    newest: sql.all<(limit: number) => InvitationRow[]>(`
      SELECT * FROM invitations ORDER BY created_at DESC, id LIMIT ?`),
    /** Counts a use; undefined if the invitation cannot be used any more. */
    use: (token_hash: string, now: string) => use({ token_hash, now }),
    /** Returns false if it is unknown or already revoked. */
    revoke: (id: string, now: string) => revoke({ id, now }) > 0,
  };
}
