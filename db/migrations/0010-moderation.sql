-- What keepers did with the board's command, and to whom; the rows about an account go with it.
CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  operator_id INTEGER REFERENCES operators (id) ON DELETE CASCADE,
  reason TEXT,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX audit_log_by_operator ON audit_log (operator_id, id);

-- What a plausibility check found about a submission. `days` is a JSON object: of each day that it concerns, the amount that it was
-- judged by. `against` is the id of the account that has the same numbers, which may be gone: ids are never given again. `released_at` is when a keeper let the submission pass all the same.
CREATE TABLE submission_checks (
  submission INTEGER NOT NULL REFERENCES submissions (log_index) ON DELETE CASCADE,
  check_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  verdict TEXT NOT NULL CHECK (verdict IN ('note', 'hold')),
  statistic REAL NOT NULL,
  threshold REAL NOT NULL,
  n INTEGER NOT NULL,
  days TEXT NOT NULL,
  against INTEGER,
  found_at TEXT NOT NULL,
  released_at TEXT,
  PRIMARY KEY (submission, check_id, tool)
) STRICT, WITHOUT ROWID;
CREATE INDEX submission_checks_by_operator ON submission_checks (operator_id);

-- Up to which log entry an operator's days were checked.
CREATE TABLE checked_operators (
  operator_id INTEGER PRIMARY KEY REFERENCES operators (id) ON DELETE CASCADE,
  log_index INTEGER NOT NULL
) STRICT;

-- An operator's usual day, with each tool and, under the empty name, with all: medians of logarithms, which others' days are compared with.
CREATE TABLE usual_days (
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  tool TEXT NOT NULL,
  ln_total REAL NOT NULL,
  ln_yield REAL,
  PRIMARY KEY (operator_id, tool)
) STRICT, WITHOUT ROWID;

-- A hash of each day and tool, and one of the numbers there to about 2 %, so that equal days of two accounts are found; and
-- each of the numbers that the account stated there, with the log entry that brought them.
CREATE TABLE day_vectors (
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  log_index INTEGER NOT NULL,
  vector INTEGER NOT NULL,
  input INTEGER NOT NULL,
  output INTEGER NOT NULL,
  cache_read INTEGER,
  PRIMARY KEY (operator_id, place, log_index)
) STRICT, WITHOUT ROWID;
CREATE INDEX day_vectors_by_vector ON day_vectors (vector);

-- Since when a publication is what readers get; null until the server has swapped it in.
ALTER TABLE publications ADD COLUMN public_at TEXT;
