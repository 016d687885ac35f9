-- What an account may do on the admin pages.
ALTER TABLE operators ADD COLUMN role TEXT NOT NULL DEFAULT 'operator'
  CHECK (role IN ('operator', 'moderator', 'admin'));
CREATE INDEX operators_by_role ON operators (role) WHERE role <> 'operator';

-- When the person last proved who they are. A session can begin later, from another session. Null for sessions of earlier versions.
ALTER TABLE sessions ADD COLUMN signed_in_at TEXT;

-- The account that acted, and where. `by_operator` is null for commands, and after that account was deleted.
ALTER TABLE audit_log ADD COLUMN by_operator INTEGER REFERENCES operators (id) ON DELETE SET NULL;
ALTER TABLE audit_log ADD COLUMN via TEXT NOT NULL DEFAULT 'command' CHECK (via IN ('command', 'page', 'setup'));
CREATE INDEX audit_log_by_actor ON audit_log (by_operator, id);

-- Settings that admins chose in the browser.
CREATE TABLE board_settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  set_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The link that makes the first account an admin, as SHA-256. There is at most one.
CREATE TABLE setup_links (
  token_hash TEXT PRIMARY KEY,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_at TEXT
) STRICT, WITHOUT ROWID;
