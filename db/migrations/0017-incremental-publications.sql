-- Which operators changed in a way that boards or pages show, apart from their counts, and the number of the change.
-- It refers to no operator, because an erased account is a change as well.
CREATE TABLE operator_changes (
  operator_id INTEGER PRIMARY KEY,
  change INTEGER NOT NULL UNIQUE
) STRICT;

CREATE TRIGGER operators_change_shown AFTER UPDATE OF codename, public_name, privacy_mode, is_open, data_opt_out,
  display_name, bio, location, links, cohort_id, hidden_at, erasing_at ON operators
BEGIN
  INSERT INTO operator_changes (operator_id, change)
  VALUES (NEW.id, (SELECT coalesce(max(change), 0) + 1 FROM operator_changes))
  ON CONFLICT (operator_id) DO UPDATE SET change = excluded.change;
END;

CREATE TRIGGER operators_change_by_end AFTER DELETE ON operators
BEGIN
  INSERT INTO operator_changes (operator_id, change)
  VALUES (OLD.id, (SELECT coalesce(max(change), 0) + 1 FROM operator_changes))
  ON CONFLICT (operator_id) DO UPDATE SET change = excluded.change;
END;

-- Boards show how many active devices each operator has.
CREATE TRIGGER device_keys_change_operators AFTER INSERT ON device_keys
BEGIN
  INSERT INTO operator_changes (operator_id, change)
  SELECT operator_id, (SELECT coalesce(max(change), 0) + 1 FROM operator_changes)
  FROM devices WHERE id = NEW.device_id
  ON CONFLICT (operator_id) DO UPDATE SET change = excluded.change;
END;

CREATE TRIGGER device_keys_change_operators_by_end AFTER UPDATE OF revoked_at, device_id ON device_keys
BEGIN
  INSERT INTO operator_changes (operator_id, change)
  SELECT operator_id, (SELECT coalesce(max(change), 0) + 1 FROM operator_changes)
  FROM devices WHERE id = NEW.device_id
  ON CONFLICT (operator_id) DO UPDATE SET change = excluded.change;
END;

CREATE INDEX operators_hidden_by_admin ON operators (id) WHERE hidden_at IS NOT NULL;

-- A stored publication is an image, or the changes since the one before. `base` is the image it builds on; null while
-- nothing of it is stored. Publications of earlier versions cannot be read any more, and the first one replaces them.
ALTER TABLE publications ADD COLUMN base INTEGER;
