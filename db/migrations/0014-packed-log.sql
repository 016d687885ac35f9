-- Log entries and submissions in a smaller form. The tables `log_entries` and `submissions` keep the rows of earlier versions until
-- they were moved, which the server does behind its own work. Readers use views of both (db/packed/views.ts).

-- What payloads are compressed with. Rows are never changed or deleted, because payloads cannot be read without them. They must not
-- contain anything about an operator.
CREATE TABLE dictionaries (id INTEGER PRIMARY KEY, body BLOB NOT NULL UNIQUE) STRICT;
INSERT INTO dictionaries (id, body) VALUES (1, CAST('{"operator":"","codename":"","privacy_mode":"pseudonymous","data_opt_out":false,"public_id":"","device":"","ke'
  || 'yid":"SHA256:","public_key":"","label":"","trust":"signed","replaces":null,"reason":"compromised","submission"'
  || ':"","log_index":,"by":"keeper","by":"check:day_outlier""provider":"google","model":"gemini-2.5-pro","tool":"ge'
  || 'mini-cli""provider":"openai","model":"gpt-5.1-codex","tool":"opencode""model":"claude-haiku-4-5-20251001""mode'
  || 'l":"claude-opus-4-5-20251101","tool":"copilot-cli"{"type":"opbench-self-report/1","operator":"","submission_id'
  || '":"01","records":[{"cache_write":null,"cache_read":null},"metrics":{"yield":null,"leverage":null,"velocity":nu'
  || 'll,"snr":null,"dev10x":null},"warnings":["","fingerprint":"{"spec":"rank/0.1-draft","timestamp":"2026-01-01T00'
  || ':00:00Z","source":{"provider":"openai","model":"gpt-5-codex","tool":"codex"},"telemetry":{"input":100,"output"'
  || ':1000,"cache_write":1000,"cache_read":10000},"metrics":{"yield":1000.25,"leverage":100.25,"velocity":10.125,"s'
  || 'nr":0.9125,"dev10x":2.125},"warnings":[],"context":{"window":"1d"}}{"type":"opbench-snapshot/1","audience":"ht'
  || 'tps://","submission_id":"019a0000-0000-7000-8000-","issued_at":"2026-01-01T00:00:00.000Z","collector":{"name":'
  || '"opbench","version":"0.14.0"},"correction":{"tool":"","from":"","to":"2026-01-"},"correction":null,"records":['
  || '{"spec":"rank/0.1-draft","timestamp":"2026-01-01T00:00:00Z","source":{"provider":"anthropic","model":"claude-s'
  || 'onnet-4-5-20250929","tool":"claude-code"},"telemetry":{"input":100,"output":1000,"cache_write":1000,"cache_rea'
  || 'd":10000},"metrics":{"yield":1000.25,"leverage":100.25,"velocity":10.125,"snr":0.9125,"dev10x":2.125},"warning'
  || 's":[],"context":{"window":"1d"}},{"spec":"rank/0.1-draft","timestamp":"2026-01-01T00:00:00Z","source":{"provid'
  || 'er":"anthropic","model":"claude-opus-4-1-20250805","tool":"claude-code"},"telemetry":{"input":100,"output":100'
  || '0,"cache_write":1000,"cache_read":10000},"metrics":{"yield":1000.25,"leverage":100.25,"velocity":10.125,"snr":'
  || '0.9125,"dev10x":2.125},"warnings":[],"context":{"window":"1d"}}]}' AS BLOB));

-- Texts that many rows of an operator repeat, such as key IDs. The IDs are random numbers of 6 bytes, by which packed rows of a deleted
-- account are found anywhere in the file.
CREATE TABLE words (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 << 46 AND (1 << 47) - 1),
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  text TEXT NOT NULL,
  UNIQUE (operator_id, text)
) STRICT;

-- The log. A missing kind is `snapshot`. The previous hash is that of the row before. `received_at` is in milliseconds since 1970. `mark` is
-- the word of the key that signed the payload, or the empty word. `form` says how the payload is restored (db/packed/payload-forms.ts).
-- An erased entry has lost mark, salt and payload.
CREATE TABLE packed_entries (
  log_index INTEGER PRIMARY KEY,
  kind TEXT CHECK (kind <> 'snapshot'),
  received_at INTEGER NOT NULL,
  payload_digest BLOB NOT NULL CHECK (length(payload_digest) = 32),
  entry_hash BLOB NOT NULL CHECK (length(entry_hash) = 32),
  operator_id INTEGER REFERENCES operators (id) ON DELETE SET NULL,
  mark INTEGER,
  salt BLOB CHECK (length(salt) = 32),
  form INTEGER NOT NULL,
  payload BLOB,
  CHECK ((salt IS NULL) = (payload IS NULL))
) STRICT;
CREATE INDEX packed_entries_by_operator ON packed_entries (operator_id);

-- How many bytes of payloads the log has of an operator, as they came, without those in `log_entries`.
ALTER TABLE operators ADD COLUMN logged_bytes INTEGER NOT NULL DEFAULT 0;

-- Submissions. UUIDs are 16 bytes, or the text as it came if it is no canonical UUID. `mark` is the word of the key, or
-- of a self-report the empty word, negated.
-- `words` is a JSON list: the key ID, collector's name and version, tools, ranking rules, and the board's key. Days are counted from
-- 1970. `payload_hash` is null if it is that of the signed bytes. Without `answer`, it is restored from the row, its entry and
-- `signature`. A state other than `accepted` is `decided`. A device's rows are found by its operator, so it has no index, and no
-- reference, which would need one.
CREATE TABLE packed_submissions (
  log_index INTEGER PRIMARY KEY REFERENCES packed_entries (log_index),
  id ANY NOT NULL UNIQUE,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  device_id INTEGER NOT NULL,
  mark INTEGER NOT NULL,
  submission_id ANY NOT NULL,
  words INTEGER NOT NULL,
  idempotency_key_hash BLOB CHECK (length(idempotency_key_hash) = 32),
  payload_hash BLOB CHECK (length(payload_hash) = 32),
  records INTEGER NOT NULL,
  days INTEGER NOT NULL CHECK (days BETWEEN 1 AND records),
  first_day INTEGER NOT NULL,
  last_day INTEGER NOT NULL CHECK (last_day >= first_day),
  decided TEXT CHECK (decided IN ('held', 'rejected', 'withdrawn')),
  signature BLOB CHECK (length(signature) = 64),
  answer TEXT,
  UNIQUE (submission_id, mark),
  CHECK ((signature IS NULL) <> (answer IS NULL))
) STRICT;
CREATE INDEX packed_submissions_by_operator ON packed_submissions (operator_id);
CREATE INDEX packed_submissions_by_state ON packed_submissions (decided) WHERE decided IS NOT NULL;
CREATE INDEX packed_submissions_by_hand ON packed_submissions (operator_id) WHERE mark < 0;
CREATE UNIQUE INDEX packed_submissions_by_idempotency_key ON packed_submissions (operator_id, idempotency_key_hash)
  WHERE idempotency_key_hash IS NOT NULL;

-- Log entries and submissions are in either of two tables, so no other table can refer to them by a constraint. To drop the
-- constraints by making the tables again would take minutes on a large board.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(sql, ' REFERENCES log_entries (log_index)', ''),
  ' REFERENCES submissions (log_index) ON DELETE CASCADE', '')
WHERE type = 'table' AND name IN ('board_keys', 'buckets', 'signal_records', 'submission_checks');
PRAGMA writable_schema = RESET;
