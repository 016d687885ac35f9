-- Which device took the place of another, and when. What the replaced one had is the other's: keys, submissions and daily counts.
ALTER TABLE devices ADD COLUMN replaced_by INTEGER REFERENCES devices (id) ON DELETE CASCADE;
ALTER TABLE devices ADD COLUMN replaced_at TEXT;
CREATE INDEX devices_replaced ON devices (replaced_by) WHERE replaced_by IS NOT NULL;

-- What a device stated, where only a part of it counts because other devices state the same responses: input to cache_read hold what
-- counts. And which responses are behind what was stated: up to 15 values of 4 bytes, ascending, keyed for each account.
ALTER TABLE buckets ADD COLUMN stated_input INTEGER CHECK (stated_input >= input);
ALTER TABLE buckets ADD COLUMN stated_output INTEGER CHECK (stated_output >= output);
ALTER TABLE buckets ADD COLUMN stated_cache_write INTEGER CHECK (stated_cache_write >= cache_write);
ALTER TABLE buckets ADD COLUMN stated_cache_read INTEGER CHECK (stated_cache_read >= cache_read);
ALTER TABLE buckets ADD COLUMN fingerprint BLOB CHECK (length(fingerprint) BETWEEN 4 AND 60);
