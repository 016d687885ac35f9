-- Daily counts with numbers in place of days and names. Rows move from the earlier table in small steps while the board serves, so this
-- creates only empty tables.
ALTER TABLE buckets RENAME TO unmoved_buckets;

-- The tools, providers and models of each operator's daily counts, by a number of the operator. An account's deletion removes the names
-- that only it used.
CREATE TABLE sources (
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  source INTEGER NOT NULL,
  tool TEXT NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  PRIMARY KEY (operator_id, source)
) STRICT, WITHOUT ROWID;

-- What each device last stated, and how much of it counts: a projection of the log. `day` is the number of days since 1970-01-01.
-- Devices and log entries are not referenced, because each reference would need an index to delete an account in reasonable time.
CREATE TABLE daily_counts (
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  source INTEGER NOT NULL,
  device_id INTEGER NOT NULL,
  input INTEGER NOT NULL CHECK (input >= 0),
  output INTEGER NOT NULL CHECK (output >= 0),
  cache_write INTEGER CHECK (cache_write >= 0),
  cache_read INTEGER CHECK (cache_read >= 0),
  log_index INTEGER NOT NULL,
  counts INTEGER NOT NULL CHECK (counts IN (0, 1)),
  stated_input INTEGER CHECK (stated_input >= input),
  stated_output INTEGER CHECK (stated_output >= output),
  stated_cache_write INTEGER CHECK (stated_cache_write >= cache_write),
  stated_cache_read INTEGER CHECK (stated_cache_read >= cache_read),
  fingerprint BLOB CHECK (length(fingerprint) BETWEEN 4 AND 60),
  PRIMARY KEY (operator_id, day, source, device_id)
) STRICT, WITHOUT ROWID;

-- All daily counts, moved or not. Conditions on `day_number` use the key of the new table, and those on `day` the key of the earlier one.
-- The casts give each column the same affinity in both parts. Otherwise, SQLite would read all rows of a statement before the first. Names
-- are subqueries (and `names` replaces `source` in the earlier table), because SQLite prepares a statement with a join again each time that its parameters change.
CREATE VIEW buckets AS
SELECT operator_id, CAST(date(day * 86400, 'unixepoch') AS TEXT) AS day,
  (SELECT tool FROM sources s WHERE s.operator_id = c.operator_id AND s.source = c.source) AS tool, device_id,
  (SELECT provider FROM sources s WHERE s.operator_id = c.operator_id AND s.source = c.source) AS provider,
  (SELECT model FROM sources s WHERE s.operator_id = c.operator_id AND s.source = c.source) AS model, input, output, cache_write,
  cache_read, log_index, counts, stated_input, stated_output, stated_cache_write, stated_cache_read, fingerprint, day AS day_number, source,
  '' AS names
FROM daily_counts c
UNION ALL
SELECT operator_id, day, tool, device_id, provider, model, input, output, cache_write, cache_read, log_index, counts, stated_input,
  stated_output, stated_cache_write, stated_cache_read, fingerprint, CAST(unixepoch(day) / 86400 AS INTEGER), -1,
  tool || char(10) || provider || char(10) || model
FROM unmoved_buckets;

-- What counts for an operator in a month (12 * year + month, from 0), packed (`usage-block.ts`): a cache of the moved daily counts. A month
-- with too many daily counts has no body.
CREATE TABLE usage_blocks (
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  month INTEGER NOT NULL,
  body BLOB,
  PRIMARY KEY (operator_id, month)
) STRICT, WITHOUT ROWID;
