-- The days that a submission states, counted from 1970: on these, its device counted nothing that the submission lacks. Null in
-- submissions that state none.
ALTER TABLE packed_submissions ADD COLUMN covers_from INTEGER;
ALTER TABLE packed_submissions ADD COLUMN covers_to INTEGER;
CREATE INDEX packed_submissions_by_covered_days ON packed_submissions (operator_id, covers_from, covers_to)
  WHERE covers_to IS NOT NULL AND decided IS NULL;

-- Days whose signed tokens changed after the end of the next day, or became fewer. `in_time` is the most tokens that had been stated by the end of
-- the next day; on days without a row, all were. `is_lowered` is 1 if a correction or withdrawal lowered the day.
CREATE TABLE changed_days (
  operator_id INTEGER NOT NULL REFERENCES operators (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  in_time INTEGER NOT NULL CHECK (in_time >= 0),
  is_lowered INTEGER NOT NULL CHECK (is_lowered IN (0, 1)),
  PRIMARY KEY (operator_id, day)
) STRICT, WITHOUT ROWID;

-- The first day for which changes are known: for existing accounts, the day before the upgrade.
ALTER TABLE operators ADD COLUMN changes_known_from INTEGER NOT NULL DEFAULT 0;
UPDATE operators SET changes_known_from = unixepoch() / 86400 - 1;
