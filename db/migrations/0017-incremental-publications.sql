-- Which operators changed in a way that boards or pages show, apart from their counts, and the number of the change.
-- The row with operator 0 stands for all accounts that were deleted, of which it keeps no trace.
CREATE TABLE operator_changes (
  operator INTEGER PRIMARY KEY,
  change INTEGER NOT NULL UNIQUE
) STRICT;

CREATE TRIGGER operators_change_shown AFTER UPDATE OF codename, public_name, privacy_mode, is_open, data_opt_out,
  display_name, bio, location, links, cohort_id, hidden_at, erasing_at ON operators
BEGIN
  INSERT INTO operator_changes (operator, change)
  VALUES (NEW.id, (SELECT coalesce(max(change), 0) + 1 FROM operator_changes))
  ON CONFLICT (operator) DO UPDATE SET change = excluded.change;
END;

CREATE TRIGGER operators_change_by_end AFTER DELETE ON operators
BEGIN
  INSERT INTO operator_changes (operator, change)
  VALUES (0, (SELECT coalesce(max(change), 0) + 1 FROM operator_changes))
  ON CONFLICT (operator) DO UPDATE SET change = excluded.change;
  DELETE FROM operator_changes WHERE operator = OLD.id;
END;

-- Boards show how many active devices each operator has.
CREATE TRIGGER device_keys_change_operators AFTER INSERT ON device_keys
BEGIN
  INSERT INTO operator_changes (operator, change)
  SELECT operator_id, (SELECT coalesce(max(change), 0) + 1 FROM operator_changes)
  FROM devices WHERE id = NEW.device_id
  ON CONFLICT (operator) DO UPDATE SET change = excluded.change;
END;

CREATE TRIGGER device_keys_change_operators_by_end AFTER UPDATE OF revoked_at, device_id ON device_keys
BEGIN
  INSERT INTO operator_changes (operator, change)
  SELECT operator_id, (SELECT coalesce(max(change), 0) + 1 FROM operator_changes)
  FROM devices WHERE id = NEW.device_id
  ON CONFLICT (operator) DO UPDATE SET change = excluded.change;
END;

CREATE INDEX operators_hidden_by_admin ON operators (id) WHERE hidden_at IS NOT NULL;

-- A stored publication is an image, or the changes since the one before. `base` is the image it builds on; null while
-- nothing of it is stored. Publications of earlier versions cannot be read any more, and the first one replaces them.
ALTER TABLE publications ADD COLUMN base INTEGER;
