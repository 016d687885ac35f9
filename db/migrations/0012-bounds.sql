-- Since when an account is being erased, in steps; null for every account that is there.
ALTER TABLE operators ADD COLUMN erasing_at TEXT;
CREATE INDEX operators_erasing ON operators (id) WHERE erasing_at IS NOT NULL;

-- How much of the log an account fills, without reading the payloads.
CREATE INDEX log_entries_by_size ON log_entries (operator_id, length(payload));
