-- The ranking rules of a record, and its lower bound, which is not the value that ranks from version 2 on. A record under one version does
-- not replace one under another.
CREATE TABLE new_signal_records (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  metric TEXT NOT NULL,
  rules INTEGER NOT NULL,
  value REAL NOT NULL,
  low REAL NOT NULL,
  high REAL,
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  log_index INTEGER NOT NULL,
  achieved_at TEXT NOT NULL,
  UNIQUE (operator_id, metric, last_day, rules)
) STRICT;
INSERT INTO new_signal_records (id, operator_id, metric, rules, value, low, high, first_day, last_day, log_index, achieved_at)
SELECT id, operator_id, metric, 1, value, value, high, first_day, last_day, log_index, achieved_at FROM signal_records;
DROP TABLE signal_records;
ALTER TABLE new_signal_records RENAME TO signal_records;
