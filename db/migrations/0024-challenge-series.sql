-- Challenges that repeat. The days are those of the first one, from which all others are computed, and `slug` is its ID.
CREATE TABLE challenge_series (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL,
  rule TEXT NOT NULL CHECK (rule IN ('weekly', 'monthly')),
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  stopped_at TEXT
) STRICT;

ALTER TABLE challenges ADD COLUMN series INTEGER REFERENCES challenge_series (id);
-- Prevents that a period is created twice.
CREATE UNIQUE INDEX challenges_by_series ON challenges (series, first_day) WHERE series IS NOT NULL;
