-- Passkeys are sign-in methods. SQLite cannot change a CHECK, so the table is built again with one more method.
DROP TRIGGER identities_end_mail_links;
CREATE TABLE identities_with_passkeys (
  id TEXT PRIMARY KEY,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  method TEXT NOT NULL CHECK (method IN ('email_magic_link', 'github', 'oidc', 'passkey', 'twitter')),
  subject TEXT NOT NULL UNIQUE,
  label TEXT NOT NULL,
  linked_at TEXT NOT NULL,
  last_used_at TEXT
) STRICT, WITHOUT ROWID;
INSERT INTO identities_with_passkeys SELECT id, operator_id, method, subject, label, linked_at, last_used_at FROM identities;
DROP TABLE identities;
ALTER TABLE identities_with_passkeys RENAME TO identities;
CREATE INDEX identities_by_operator ON identities (operator_id, linked_at);

-- As before: a method that is unlinked, or deleted with its account, leaves no link that could be used or that names it.
CREATE TRIGGER identities_end_mail_links AFTER DELETE ON identities BEGIN
  DELETE FROM mail_links WHERE subject = OLD.subject;
END;

-- What the board needs to check a passkey. `counter` is the last signature counter; 0 if the passkey does not count.
CREATE TABLE passkeys (
  identity_id TEXT PRIMARY KEY REFERENCES identities (id) ON DELETE CASCADE,
  credential_id BLOB NOT NULL,
  public_key BLOB NOT NULL,
  counter INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Challenges that browsers have yet to answer, known only by their SHA-256. `interaction` is encrypted as in `sign_in_attempts`.
-- With a `public_id`, the answer creates a passkey for the account with this ID, which `codename` names if it does not exist yet.
CREATE TABLE passkey_challenges (
  challenge_hash TEXT PRIMARY KEY,
  browser_hash TEXT NOT NULL,
  interaction TEXT,
  operator_id INTEGER REFERENCES operators (id) ON DELETE CASCADE,
  public_id TEXT,
  codename TEXT,
  expires_at TEXT NOT NULL,
  CHECK ((interaction IS NULL) <> (operator_id IS NULL)),
  CHECK ((public_id IS NULL) = (codename IS NULL)),
  CHECK (operator_id IS NULL OR public_id IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_challenges_by_operator ON passkey_challenges (operator_id);
CREATE INDEX passkey_challenges_by_end ON passkey_challenges (expires_at);
