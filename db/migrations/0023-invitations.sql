-- Links that let people join a board, as SHA-256.
CREATE TABLE invitations (
  id TEXT PRIMARY KEY,
  token_hash TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  cohort_id TEXT,
  most_uses INTEGER NOT NULL CHECK (most_uses > 0),
  uses INTEGER NOT NULL DEFAULT 0 CHECK (uses <= most_uses),
  operator_id INTEGER REFERENCES operators (id) ON DELETE SET NULL,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  forget_at TEXT NOT NULL,
  revoked_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX invitations_by_creator ON invitations (operator_id);
CREATE INDEX invitations_by_end ON invitations (forget_at);

-- What the browser that requested an email was allowed, because the link can be opened in another one.
ALTER TABLE mail_links ADD COLUMN is_expected INTEGER NOT NULL DEFAULT 0 CHECK (is_expected IN (0, 1));
ALTER TABLE mail_links ADD COLUMN invitation_hash TEXT;
