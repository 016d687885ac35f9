-- What operators tell of themselves, and what of them may be seen: `public_name` is null for whom the public does not see,
-- `is_open` tells whether page, keys and envelopes are public. Both follow from `core/domain/visibility.ts`.
ALTER TABLE operators ADD COLUMN public_name TEXT;
ALTER TABLE operators ADD COLUMN is_open INTEGER NOT NULL DEFAULT 1 CHECK (is_open IN (0, 1));
ALTER TABLE operators ADD COLUMN anonymity_epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE operators ADD COLUMN codename_confirmed INTEGER NOT NULL DEFAULT 1 CHECK (codename_confirmed IN (0, 1));
ALTER TABLE operators ADD COLUMN renamed_at TEXT;
ALTER TABLE operators ADD COLUMN display_name TEXT;
ALTER TABLE operators ADD COLUMN bio TEXT;
ALTER TABLE operators ADD COLUMN location TEXT;
ALTER TABLE operators ADD COLUMN links TEXT NOT NULL DEFAULT '[]';
ALTER TABLE operators ADD COLUMN cohort_id TEXT;
UPDATE operators SET public_name = codename;
CREATE UNIQUE INDEX operators_by_public_name ON operators (public_name);
CREATE INDEX operators_hidden ON operators (id) WHERE is_open = 0;

-- Pictures of operators, as they are served.
CREATE TABLE avatars (
  operator_id INTEGER PRIMARY KEY REFERENCES operators (id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  body BLOB NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
CREATE INDEX avatars_by_hash ON avatars (hash);

-- Names that operators gave up: they lead to the new one, and nobody else can take them, until then.
CREATE TABLE former_codenames (
  codename TEXT PRIMARY KEY,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  until TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX former_codenames_by_operator ON former_codenames (operator_id);

-- Names of deleted accounts, as keyed hashes: nobody can take them until then, and nobody can read them here.
CREATE TABLE reserved_codenames (
  codename_hash TEXT PRIMARY KEY,
  until TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What happened to an account, for its operator to see.
CREATE TABLE account_events (
  id INTEGER PRIMARY KEY,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  detail TEXT,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX account_events_by_operator ON account_events (operator_id, id);

CREATE TABLE contact_messages (
  id TEXT PRIMARY KEY,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  subject TEXT NOT NULL,
  message TEXT NOT NULL,
  created_at TEXT NOT NULL,
  mailed_at TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX contact_messages_by_operator ON contact_messages (operator_id);

-- What is over is looked for after each publication.
CREATE INDEX sessions_by_end ON sessions (expires_at);
CREATE INDEX device_token_ids_by_end ON device_token_ids (expires_at);

-- Random bytes of the board's own, made when they are first needed.
CREATE TABLE secrets (
  name TEXT PRIMARY KEY,
  value BLOB NOT NULL,
  created_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
