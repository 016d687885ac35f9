import type { Database } from 'better-sqlite3';

/** One thing that the provider keeps. */
export interface OidcRow {
  kind: string;
  id_hash: string;
  /** JSON, without the id. */
  payload: string;
  grant_hash: string | null;
  uid_hash: string | null;
  /** The public id of the operator whom it is of. */
  account: string | null;
  /** In epoch seconds. */
  expires_at: number;
}

/** What is read of it. */
export interface OidcEntity {
  payload: string;
  /** In epoch seconds; null while it was not used up. */
  consumed_at: number | null;
}

/** What the board's own OpenID provider keeps; moments are in epoch seconds. */
export function oidcIn(db: Database) {
  const put = db.prepare(
    `INSERT INTO oidc_entities
       (kind, id_hash, payload, grant_hash, uid_hash, operator_id, expires_at)
     SELECT @kind, @id_hash, @payload, @grant_hash, @uid_hash,
       (SELECT id FROM operators WHERE public_id = @account), @expires_at
     WHERE @account IS NULL OR EXISTS (SELECT 1 FROM operators WHERE public_id = @account)
     ON CONFLICT DO UPDATE SET payload = excluded.payload, grant_hash = excluded.grant_hash,
       uid_hash = excluded.uid_hash, operator_id = excluded.operator_id,
       expires_at = excluded.expires_at`,
  );
  const find = db.prepare(
    `SELECT payload, consumed_at FROM oidc_entities
     WHERE kind = @kind AND id_hash = @id_hash AND expires_at > @now`,
  );
  const findByUid = db.prepare(
    `SELECT payload, consumed_at FROM oidc_entities
     WHERE kind = @kind AND uid_hash = @uid_hash AND expires_at > @now`,
  );
  const consume = db.prepare(
    `UPDATE oidc_entities SET consumed_at = @now
     WHERE kind = @kind AND id_hash = @id_hash AND consumed_at IS NULL`,
  );
  const remove = db.prepare('DELETE FROM oidc_entities WHERE kind = @kind AND id_hash = @id_hash');
  const removeOfGrant = db.prepare(
    'DELETE FROM oidc_entities WHERE grant_hash = @grant_hash AND kind = @kind',
  );
  const removeAllOfGrant = db.prepare('DELETE FROM oidc_entities WHERE grant_hash = ?');
  const count = db
    .prepare('SELECT count(*) FROM oidc_entities WHERE kind = @kind AND expires_at > @now')
    .pluck();
  const forgetUnusedClients = db.prepare(
    `WITH used (id) AS (
       SELECT json_extract(payload, '$.clientId') FROM oidc_entities
         WHERE kind = 'Grant' AND expires_at > @now
       UNION SELECT json_extract(payload, '$.params.client_id') FROM oidc_entities
         WHERE kind = 'Interaction' AND expires_at > @now)
     DELETE FROM oidc_entities WHERE kind = 'Client' AND id_hash IN (
       SELECT id_hash FROM oidc_entities WHERE kind = 'Client'
         AND coalesce(json_extract(payload, '$.client_id'), '')
           NOT IN (SELECT id FROM used WHERE id IS NOT NULL)
       ORDER BY expires_at LIMIT @most)`,
  );
  const keep = db.prepare(
    `UPDATE oidc_entities SET expires_at = max(expires_at, @expires_at)
     WHERE kind = @kind AND id_hash = @id_hash`,
  );

  return {
    /** Keeps something, in place of what has its id; nothing if the account is gone. */
    put(row: OidcRow) {
      put.run(row);
    },
    find: (kind: string, id_hash: string, now: number) =>
      find.get({ kind, id_hash, now }) as OidcEntity | undefined,
    findByUid: (kind: string, uid_hash: string, now: number) =>
      findByUid.get({ kind, uid_hash, now }) as OidcEntity | undefined,
    /** How many of a kind there are. */
    count: (kind: string, now: number) => count.get({ kind, now }) as number,
    /** Uses something up; false if it was before. */
    consume: (kind: string, id_hash: string, now: number) =>
      consume.run({ kind, id_hash, now }).changes > 0,
    remove(kind: string, id_hash: string) {
      remove.run({ kind, id_hash });
    },
    /** Removes what is of one kind and came of a grant. */
    removeOfGrant(kind: string, grant_hash: string) {
      removeOfGrant.run({ kind, grant_hash });
    },
    /** Removes a grant and all that came of it. */
    revokeGrant(grant_hash: string) {
      removeAllOfGrant.run(grant_hash);
      remove.run({ kind: 'Grant', id_hash: grant_hash });
    },
    /** Forgets the oldest clients without a grant and without a question; returns how many. */
    forgetUnusedClients: (now: number, most: number) =>
      forgetUnusedClients.run({ now, most }).changes,
    /** Puts the end of something off. */
    keep(kind: string, id_hash: string, expires_at: number) {
      keep.run({ kind, id_hash, expires_at });
    },
  };
}
