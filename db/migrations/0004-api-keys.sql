-- Keys that the keeper gives to readers of the API; of the secret only the SHA-256 is kept.
CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  secret_hash TEXT NOT NULL,
  label TEXT NOT NULL,
  per_minute INTEGER NOT NULL CHECK (per_minute > 0),
  created_at TEXT NOT NULL,
  revoked_at TEXT
) STRICT, WITHOUT ROWID;
