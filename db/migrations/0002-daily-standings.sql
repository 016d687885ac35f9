-- A publication is stored in sections, of which its windows' columns are some.
ALTER TABLE publication_parts RENAME COLUMN window TO section;

-- The last publication of each UTC day, written once the day is over; a day counts as kept from this row on.
-- `self_reported` tells whether any self-reported bucket counted; if not, the slices of all are the signed ones.
CREATE TABLE daily_publications (
  day TEXT PRIMARY KEY,
  log_index INTEGER NOT NULL,
  ruleset TEXT NOT NULL,
  generated_at TEXT NOT NULL,
  tools TEXT NOT NULL,
  self_reported INTEGER NOT NULL CHECK (self_reported IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Where each operator stood on a day in one slice; `tool` is empty for all tools.
CREATE TABLE daily_standings (
  day TEXT NOT NULL,
  tool TEXT NOT NULL,
  trust TEXT NOT NULL CHECK (trust IN ('signed', 'all')),
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  body BLOB NOT NULL,
  PRIMARY KEY (day, tool, trust, operator_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX daily_standings_by_operator ON daily_standings (operator_id);
