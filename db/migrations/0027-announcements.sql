-- The line that all public pages show. There is at most one.
CREATE TABLE announcements (
  id TEXT PRIMARY KEY,
  text TEXT NOT NULL,
  link TEXT,
  set_at TEXT NOT NULL,
  ends_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What the board did by itself is not an action with a command. A column's check cannot be changed, so the column is replaced.
ALTER TABLE audit_log ADD COLUMN origin TEXT NOT NULL DEFAULT 'command'
  CHECK (origin IN ('board', 'command', 'page', 'setup'));
UPDATE audit_log SET origin = CASE
  WHEN action = 'webhook_disable' OR (action = 'backup' AND reason = 'Scheduled') THEN 'board'
  ELSE via
END;
UPDATE audit_log SET reason = NULL WHERE action = 'backup' AND reason = 'Scheduled';
ALTER TABLE audit_log DROP COLUMN via;
ALTER TABLE audit_log RENAME COLUMN origin TO via;
