-- An account. Its id is never given again. `public_id` is what the log calls it; `log_index` is the last entry that touched what counts.
CREATE TABLE operators (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  public_id TEXT NOT NULL UNIQUE,
  codename TEXT NOT NULL UNIQUE,
  privacy_mode TEXT NOT NULL DEFAULT 'pseudonymous'
    CHECK (privacy_mode IN ('anonymous', 'pseudonymous', 'private', 'identified')),
  data_opt_out INTEGER NOT NULL DEFAULT 0 CHECK (data_opt_out IN (0, 1)),
  created_at TEXT NOT NULL,
  log_index INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX operators_by_log_index ON operators (log_index);

-- Sign-in sessions; only the SHA-256 of the cookie's value is kept.
CREATE TABLE sessions (
  id_hash TEXT PRIMARY KEY,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_operator ON sessions (operator_id);

-- One-time URLs made by the keeper.
CREATE TABLE login_links (
  token_hash TEXT PRIMARY KEY,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_at TEXT
) STRICT, WITHOUT ROWID;

-- An installation of the operator's command; one more of trust `self_reported` stands for what is sent through a session.
CREATE TABLE devices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  public_id TEXT NOT NULL UNIQUE,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  trust TEXT NOT NULL CHECK (trust IN ('signed', 'self_reported')),
  installation_id TEXT,
  label TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (operator_id, installation_id)
) STRICT;

-- A key stays here when it is revoked: it belongs to its account for ever.
CREATE TABLE device_keys (
  keyid TEXT PRIMARY KEY,
  device_id INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
  public_key BLOB NOT NULL CHECK (length(public_key) = 32),
  enrolled_at TEXT NOT NULL,
  revoked_at TEXT,
  revoked_reason TEXT CHECK (revoked_reason IN ('logout', 'rotated', 'revoked', 'compromised')),
  CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX device_keys_by_device ON device_keys (device_id);

CREATE TABLE enrollment_codes (
  code_hash TEXT PRIMARY KEY,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  used_by_keyid TEXT
) STRICT, WITHOUT ROWID;

-- The values of device tokens already seen, until they expire.
CREATE TABLE device_token_ids (
  jti TEXT NOT NULL,
  keyid TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (keyid, jti)
) STRICT, WITHOUT ROWID;

-- The keys that sign receipts.
CREATE TABLE board_keys (
  keyid TEXT PRIMARY KEY,
  public_key BLOB NOT NULL CHECK (length(public_key) = 32),
  secret_key BLOB NOT NULL CHECK (length(secret_key) = 32),
  log_index INTEGER NOT NULL UNIQUE REFERENCES log_entries (log_index),
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The append-only log. An erased entry keeps its digest and hash and loses salt and payload.
CREATE TABLE log_entries (
  log_index INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  previous TEXT NOT NULL,
  received_at TEXT NOT NULL,
  payload_digest TEXT NOT NULL,
  entry_hash TEXT NOT NULL,
  operator_id INTEGER REFERENCES operators (id) ON DELETE SET NULL,
  salt BLOB CHECK (length(salt) = 32),
  payload BLOB,
  CHECK ((salt IS NULL) = (payload IS NULL))
) STRICT;
CREATE INDEX log_entries_by_operator ON log_entries (operator_id, log_index);

-- What was accepted, one row a snapshot. `id` is the board's own, `submission_id` its sender's;
-- `answer` is what the sender was told, to be told again.
CREATE TABLE submissions (
  log_index INTEGER PRIMARY KEY REFERENCES log_entries (log_index),
  id TEXT NOT NULL UNIQUE,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  device_id INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
  keyid TEXT,
  submission_id TEXT NOT NULL,
  payload_hash TEXT NOT NULL,
  collector_name TEXT NOT NULL,
  collector_version TEXT NOT NULL,
  records INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'accepted'
    CHECK (state IN ('accepted', 'held', 'rejected', 'withdrawn')),
  answer TEXT NOT NULL,
  UNIQUE (keyid, submission_id)
) STRICT;
CREATE INDEX submissions_by_operator ON submissions (operator_id, log_index);
CREATE INDEX submissions_by_device ON submissions (device_id, log_index);

-- What every device last stated of each bucket, and whether it counts: a projection of the log.
CREATE TABLE buckets (
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  day TEXT NOT NULL,
  tool TEXT NOT NULL,
  device_id INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  input INTEGER NOT NULL CHECK (input >= 0),
  output INTEGER NOT NULL CHECK (output >= 0),
  cache_write INTEGER CHECK (cache_write >= 0),
  cache_read INTEGER CHECK (cache_read >= 0),
  log_index INTEGER NOT NULL REFERENCES log_entries (log_index),
  counts INTEGER NOT NULL CHECK (counts IN (0, 1)),
  PRIMARY KEY (operator_id, day, tool, device_id, provider, model)
) STRICT, WITHOUT ROWID;
CREATE INDEX buckets_by_device ON buckets (device_id);

-- Published boards, the newest three whole, in parts of their windows' columns; `format` is the columns' version.
CREATE TABLE publications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  log_index INTEGER NOT NULL,
  as_of TEXT NOT NULL,
  ruleset TEXT NOT NULL,
  generated_at TEXT NOT NULL,
  format INTEGER NOT NULL,
  complete INTEGER NOT NULL DEFAULT 0 CHECK (complete IN (0, 1))
) STRICT;

CREATE TABLE publication_parts (
  publication_id INTEGER NOT NULL REFERENCES publications (id) ON DELETE CASCADE,
  window TEXT NOT NULL,
  part INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (publication_id, window, part)
) STRICT;
