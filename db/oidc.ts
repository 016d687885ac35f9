import type { Database } from 'better-sqlite3';
import { statementsIn } from './statements.ts';

interface OidcRow {
  kind: string;
  id_hash: string;
  payload: string;
  grant_hash: string | null;
  uid_hash: string | null;
  /** The public ID of its operator. */
  account: string | null;
  /** In epoch seconds. */
  expires_at: number;
}

export interface OidcEntity {
  payload: string;
  /** In epoch seconds; null if it is not used yet. */
  consumed_at: number | null;
}

/** The data of the board's own OpenID provider. Times are in epoch seconds. */
export function oidcIn(db: Database) {
  const sql = statementsIn(db);
  const consume = sql.did<(of: object) => boolean>(`
    UPDATE oidc_entities SET consumed_at = @now
    WHERE kind = @kind AND id_hash = @id_hash AND consumed_at IS NULL`);
  const remove = sql.run<(of: object) => void>(`
    DELETE FROM oidc_entities WHERE kind = @kind AND id_hash = @id_hash`);
  const removeOfGrant = sql.run<(of: object) => void>(`
    DELETE FROM oidc_entities WHERE grant_hash = @grant_hash AND kind = @kind`);
  const removeAllOfGrant = sql.run<(grant_hash: unknown) => void>(`
    DELETE FROM oidc_entities WHERE grant_hash = ?`);
  const keep = sql.run<(of: object) => void>(`
    UPDATE oidc_entities SET expires_at = max(expires_at, @expires_at)
    WHERE kind = @kind AND id_hash = @id_hash`);

  return {
    /** Stores an entity, replacing one with the same ID. Does nothing if the account was deleted. */
    put: sql.run<(row: OidcRow) => void>(`
      INSERT INTO oidc_entities
        (kind, id_hash, payload, grant_hash, uid_hash, operator_id, expires_at)
      SELECT @kind, @id_hash, @payload, @grant_hash, @uid_hash,
        (SELECT id FROM operators WHERE public_id = @account), @expires_at
      WHERE @account IS NULL OR EXISTS (SELECT 1 FROM operators WHERE public_id = @account)
      ON CONFLICT DO UPDATE SET payload = excluded.payload, grant_hash = excluded.grant_hash,
        uid_hash = excluded.uid_hash, operator_id = excluded.operator_id,
        expires_at = excluded.expires_at`),
    find: sql.get<(kind: string, id_hash: string, now: number) => OidcEntity | undefined>(`
      SELECT payload, consumed_at FROM oidc_entities
      WHERE kind = @kind AND id_hash = @id_hash AND expires_at > @now`),
    findByUid: sql.get<(kind: string, uid_hash: string, now: number) => OidcEntity | undefined>(`
      SELECT payload, consumed_at FROM oidc_entities
      WHERE kind = @kind AND uid_hash = @uid_hash AND expires_at > @now`),
    count: sql.value<(kind: string, now: number) => number>(`
      SELECT count(*) FROM oidc_entities WHERE kind = @kind AND expires_at > @now`),
    /** Marks an entity as used. Returns false if it already was. */
    consume: (kind: string, id_hash: string, now: number) => consume({ kind, id_hash, now }),
    remove: (kind: string, id_hash: string) => remove({ kind, id_hash }),
    removeOfGrant: (kind: string, grant_hash: string) => removeOfGrant({ kind, grant_hash }),
    revokeGrant(grant_hash: string) {
      removeAllOfGrant(grant_hash);
      remove({ kind: 'Grant', id_hash: grant_hash });
    },
    /** Deletes the oldest clients without a grant or a consent request. Returns how many. */
    forgetUnusedClients: sql.changes<(now: number, most: number) => number>(`
      WITH used (id) AS (
        SELECT json_extract(payload, '$.clientId') FROM oidc_entities
          WHERE kind = 'Grant' AND expires_at > @now
        UNION SELECT json_extract(payload, '$.params.client_id') FROM oidc_entities
          WHERE kind = 'Interaction' AND expires_at > @now)
      DELETE FROM oidc_entities WHERE kind = 'Client' AND id_hash IN (
        SELECT id_hash FROM oidc_entities WHERE kind = 'Client'
          AND coalesce(json_extract(payload, '$.client_id'), '')
            NOT IN (SELECT id FROM used WHERE id IS NOT NULL)
        ORDER BY expires_at LIMIT @most)`),
    keep: (kind: string, id_hash: string, expires_at: number) =>
      keep({ kind, id_hash, expires_at }),
  };
}

interface ApplicationRow {
  /** The ID by which its operator revokes it. */
  id: string;
  grant_hash: string;
  operator_id: number;
  /** The app's name when access was granted; null if it had none. */
  name: string | null;
  redirect_host: string;
  created_at: string;
  /** To the hour; null before the first use. */
  last_used_at: string | null;
}

/** The apps that operators connected, by the SHA-256 of their grant's ID. */
export function applicationsIn(db: Database) {
  const sql = statementsIn(db);
  const use = sql.run<(of: object) => void>(`
    UPDATE applications SET last_used_at = @now WHERE grant_hash = @grant_hash`);

  return {
    /** Records the app of a grant. If it is granted again, the original time stays. */
    put: sql.run<(row: Omit<ApplicationRow, 'last_used_at'>) => void>(`
      INSERT INTO applications (id, grant_hash, operator_id, name, redirect_host, created_at)
      VALUES (@id, @grant_hash, @operator_id, @name, @redirect_host, @created_at)
      ON CONFLICT (grant_hash) DO UPDATE SET name = excluded.name,
        redirect_host = excluded.redirect_host`),
    byGrant: sql.get<(grant_hash: string) => ApplicationRow | undefined>(`
      SELECT * FROM applications WHERE grant_hash = ?`),
    ofOperator: sql.all<(operator_id: number) => ApplicationRow[]>(`
      SELECT * FROM applications WHERE operator_id = ? ORDER BY created_at DESC, id`),
    use: (grant_hash: string, now: string) => use({ grant_hash, now }),
  };
}
