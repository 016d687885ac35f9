-- Records of the hall of signal, in the order in which they were set; one of an operator, metric and 30 days. `value` and `high` are the
-- ends of the interval; `log_index` is the last entry that the days are made of. Beaten ones stay.
CREATE TABLE signal_records (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  metric TEXT NOT NULL,
  value REAL NOT NULL,
  high REAL,
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  log_index INTEGER NOT NULL REFERENCES log_entries (log_index),
  achieved_at TEXT NOT NULL,
  UNIQUE (operator_id, metric, last_day)
) STRICT;

-- What operators compete in. `eligibility` is JSON, as it was when the challenge was made. Once it is over, its standings are frozen:
-- `frozen_log_index` is the last entry that counts, `left_out` a JSON list of the submissions of its days that did not count then.
CREATE TABLE challenges (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  metric TEXT NOT NULL,
  tool TEXT,
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  eligibility TEXT NOT NULL,
  ruleset TEXT NOT NULL,
  created_at TEXT NOT NULL,
  cancelled_at TEXT,
  cancelled_reason TEXT,
  frozen_at TEXT,
  frozen_log_index INTEGER,
  left_out TEXT,
  unranked INTEGER NOT NULL DEFAULT 0,
  CHECK ((cancelled_at IS NULL) = (cancelled_reason IS NULL)),
  CHECK (cancelled_at IS NULL OR frozen_at IS NULL)
) STRICT;

-- The places of frozen standings, which stay; and who has them, which goes with the account.
CREATE TABLE challenge_places (
  challenge INTEGER NOT NULL REFERENCES challenges (seq) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  rank INTEGER NOT NULL,
  best INTEGER NOT NULL,
  worst INTEGER NOT NULL,
  PRIMARY KEY (challenge, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE challenge_standings (
  challenge INTEGER NOT NULL REFERENCES challenges (seq) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  value REAL NOT NULL,
  low REAL NOT NULL,
  high REAL,
  total INTEGER NOT NULL,
  active_days INTEGER NOT NULL,
  PRIMARY KEY (challenge, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX challenge_standings_by_operator ON challenge_standings (operator_id);
