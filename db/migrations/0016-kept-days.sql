-- Past days in chunks: the operators of a slice whose IDs are equal but for the last byte, which `members` lists in ascending order.
-- `body` has columns with a byte for each of them, compressed with zstd. `tool` is empty for all tools. Rows with an ID of their own use the
-- pages of the file better than rows by key, because they are larger than a page.
CREATE TABLE day_places (
  day TEXT NOT NULL,
  tool TEXT NOT NULL,
  trust TEXT NOT NULL CHECK (trust IN ('signed', 'all')),
  chunk INTEGER NOT NULL,
  members BLOB NOT NULL CHECK (length(members) BETWEEN 1 AND 256),
  body BLOB NOT NULL,
  PRIMARY KEY (day, tool, trust, chunk)
) STRICT;
CREATE INDEX day_places_by_chunk ON day_places (chunk);

-- The values and intervals, of recent days and of the last day of each month.
CREATE TABLE day_values (
  day TEXT NOT NULL,
  tool TEXT NOT NULL,
  trust TEXT NOT NULL,
  chunk INTEGER NOT NULL,
  body BLOB NOT NULL,
  PRIMARY KEY (day, tool, trust, chunk),
  FOREIGN KEY (day, tool, trust, chunk) REFERENCES day_places ON DELETE CASCADE
) STRICT;

-- Whether the values of a day are deleted, or being deleted.
ALTER TABLE daily_publications ADD COLUMN thinned INTEGER NOT NULL DEFAULT 0 CHECK (thinned IN (0, 1));
