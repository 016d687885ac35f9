-- Which days and tools a submission speaks of, so that a list need not open its envelope; read from the log for those that are
-- stored already. `tools` is a JSON array. The table is made anew, so that no column needs a default that means nothing.
CREATE TABLE submissions_with_facts (
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
  days INTEGER NOT NULL CHECK (days BETWEEN 1 AND records),
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL CHECK (last_day >= first_day),
  tools TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'accepted'
    CHECK (state IN ('accepted', 'held', 'rejected', 'withdrawn')),
  answer TEXT NOT NULL,
  UNIQUE (keyid, submission_id)
) STRICT;

WITH facts AS MATERIALIZED (
  SELECT log_index, snapshot_facts(payload) AS told FROM log_entries
  WHERE log_index IN (SELECT log_index FROM submissions)
)
INSERT INTO submissions_with_facts (log_index, id, operator_id, device_id, keyid, submission_id, payload_hash,
  collector_name, collector_version, records, days, first_day, last_day, tools, state, answer)
SELECT s.log_index, s.id, s.operator_id, s.device_id, s.keyid, s.submission_id, s.payload_hash,
  s.collector_name, s.collector_version, s.records, f.told ->> 'days', f.told ->> 'first_day', f.told ->> 'last_day',
  f.told -> 'tools', s.state, s.answer
FROM submissions s JOIN facts f ON f.log_index = s.log_index;

DROP TABLE submissions;
ALTER TABLE submissions_with_facts RENAME TO submissions;
CREATE INDEX submissions_by_operator ON submissions (operator_id, log_index);
CREATE INDEX submissions_by_device ON submissions (device_id, log_index);
