-- What the board's own OpenID provider keeps: interactions, login sessions, grants, codes, refresh tokens, clients. All are known only
-- by the SHA-256 of their id. `expires_at` is in epoch seconds, as the provider counts.
CREATE TABLE oidc_entities (
  kind TEXT NOT NULL,
  id_hash TEXT NOT NULL,
  payload TEXT NOT NULL,
  grant_hash TEXT,
  uid_hash TEXT,
  operator_id INTEGER REFERENCES operators (id) ON DELETE CASCADE,
  consumed_at INTEGER,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (kind, id_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX oidc_entities_by_grant ON oidc_entities (grant_hash) WHERE grant_hash IS NOT NULL;
CREATE INDEX oidc_entities_by_uid ON oidc_entities (uid_hash) WHERE uid_hash IS NOT NULL;
CREATE INDEX oidc_entities_by_operator ON oidc_entities (operator_id) WHERE operator_id IS NOT NULL;
CREATE INDEX oidc_entities_by_end ON oidc_entities (expires_at);
CREATE INDEX oidc_entities_by_kind ON oidc_entities (kind, expires_at);

-- The applications that operators let in, one a grant, as their operators see them; gone with the grant.
CREATE TABLE applications (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL DEFAULT 'Grant' CHECK (kind = 'Grant'),
  grant_hash TEXT NOT NULL UNIQUE,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  name TEXT,
  redirect_host TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  FOREIGN KEY (kind, grant_hash) REFERENCES oidc_entities (kind, id_hash) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX applications_by_operator ON applications (operator_id, created_at);

-- What a provider elsewhere gave for a session, encrypted: with it the board asks whether the person is still welcome there.
CREATE TABLE upstream_tokens (
  session_id TEXT PRIMARY KEY REFERENCES sessions (public_id) ON DELETE CASCADE,
  refresh_token BLOB NOT NULL,
  checked_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
