-- An index finds a source without reading names. In the key of the earlier table, each search also read long names of other accounts.
DROP VIEW buckets;
ALTER TABLE sources RENAME TO earlier_sources;
CREATE TABLE sources (
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  source INTEGER NOT NULL,
  tool TEXT NOT NULL,
  provider TEXT NOT NULL,
  model TEXT NOT NULL,
  UNIQUE (operator_id, source)
) STRICT;
INSERT INTO sources SELECT operator_id, source, tool, provider, model FROM earlier_sources ORDER BY operator_id, source;
DROP TABLE earlier_sources;

-- As before, but `source` has the same affinity in both parts. Without it, SQLite read all rows of an account for each page.
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
  stated_output, stated_cache_write, stated_cache_read, fingerprint, CAST(unixepoch(day) / 86400 AS INTEGER),
  CAST(-1 AS INTEGER), tool || char(10) || provider || char(10) || model
FROM unmoved_buckets;
