-- What was sent by hand names no collector. Its sender may name the request, to be told the same again; of that name only the
-- SHA-256 is kept. The table is made anew, so that a collector may be absent.
CREATE TABLE submissions_with_self_reports (
  log_index INTEGER PRIMARY KEY REFERENCES log_entries (log_index),
  id TEXT NOT NULL UNIQUE,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  device_id INTEGER NOT NULL REFERENCES devices (id) ON DELETE CASCADE,
  keyid TEXT,
  submission_id TEXT NOT NULL,
  idempotency_key_hash TEXT,
  payload_hash TEXT NOT NULL,
  collector_name TEXT,
  collector_version TEXT,
  records INTEGER NOT NULL,
  days INTEGER NOT NULL CHECK (days BETWEEN 1 AND records),
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL CHECK (last_day >= first_day),
  tools TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'accepted'
    CHECK (state IN ('accepted', 'held', 'rejected', 'withdrawn')),
  answer TEXT NOT NULL,
  UNIQUE (keyid, submission_id),
  CHECK ((collector_name IS NULL) = (collector_version IS NULL)),
  CHECK (keyid IS NULL OR (collector_name IS NOT NULL AND idempotency_key_hash IS NULL))
) STRICT;

INSERT INTO submissions_with_self_reports (log_index, id, operator_id, device_id, keyid, submission_id, payload_hash,
  collector_name, collector_version, records, days, first_day, last_day, tools, state, answer)
SELECT log_index, id, operator_id, device_id, keyid, submission_id, payload_hash,
  collector_name, collector_version, records, days, first_day, last_day, tools, state, answer
FROM submissions;

DROP TABLE submissions;
ALTER TABLE submissions_with_self_reports RENAME TO submissions;
CREATE INDEX submissions_by_operator ON submissions (operator_id, log_index);
CREATE INDEX submissions_by_device ON submissions (device_id, log_index);
CREATE UNIQUE INDEX submissions_by_idempotency_key ON submissions (operator_id, idempotency_key_hash)
  WHERE idempotency_key_hash IS NOT NULL;

-- An operator has one device that stands for what is sent by hand.
CREATE UNIQUE INDEX devices_self_reporting ON devices (operator_id) WHERE trust = 'self_reported';
