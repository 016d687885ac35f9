-- The ways in which people sign in. `subject` is a keyed hash of the method and who it names there: no address and no foreign id is
-- kept. `label` is what its owner recognises it by: a masked address, a user name.
CREATE TABLE identities (
  id TEXT PRIMARY KEY,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  method TEXT NOT NULL CHECK (method IN ('email_magic_link', 'github', 'oidc', 'twitter')),
  subject TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  linked_at TEXT NOT NULL,
  last_used_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX identities_by_operator ON identities (operator_id, linked_at);

-- Trips to another site, to sign in there or to link it to an account. Only who left with the browser's secret may come back.
-- `interaction`, here and below, is encrypted by that secret: the question that waits.
CREATE TABLE sign_in_attempts (
  state_hash TEXT PRIMARY KEY,
  browser_hash TEXT NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('github', 'twitter')),
  code_verifier TEXT NOT NULL,
  interaction TEXT,
  operator_id INTEGER REFERENCES operators (id) ON DELETE CASCADE,
  expires_at TEXT NOT NULL,
  CHECK ((interaction IS NULL) <> (operator_id IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX sign_in_attempts_by_operator ON sign_in_attempts (operator_id);
CREATE INDEX sign_in_attempts_by_end ON sign_in_attempts (expires_at);

-- Links that were mailed, known only by the SHA-256 of their token. `code_hash` covers the token too, so that six digits cannot be
-- guessed from here. `tries` counts wrong codes.
CREATE TABLE mail_links (
  token_hash TEXT PRIMARY KEY,
  browser_hash TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  subject TEXT NOT NULL,
  label TEXT NOT NULL,
  interaction TEXT,
  operator_id INTEGER REFERENCES operators (id) ON DELETE CASCADE,
  tries INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  CHECK ((interaction IS NULL) <> (operator_id IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX mail_links_by_operator ON mail_links (operator_id);
CREATE INDEX mail_links_by_subject ON mail_links (subject);
CREATE INDEX mail_links_by_browser ON mail_links (browser_hash);
CREATE INDEX mail_links_by_end ON mail_links (expires_at);

-- A method that is unlinked, or deleted with its account, leaves no link under way that could be used or that names it.
CREATE TRIGGER identities_end_mail_links AFTER DELETE ON identities BEGIN
  DELETE FROM mail_links WHERE subject = OLD.subject;
END;

-- How a session began, and the browser's kind; of sessions that ran before this, nothing is known.
ALTER TABLE sessions ADD COLUMN public_id TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN method TEXT;
ALTER TABLE sessions ADD COLUMN label TEXT;
ALTER TABLE sessions ADD COLUMN last_seen_at TEXT;
UPDATE sessions SET public_id = lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
  || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)));
CREATE UNIQUE INDEX sessions_by_public_id ON sessions (public_id);
