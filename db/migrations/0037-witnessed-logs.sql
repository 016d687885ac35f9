-- The logs of other boards whose checkpoints this board cosigns (src/server/witness). What it cosigned last is not here but in files of
-- the data folder, because an older copy of the database must not make it forget.
CREATE TABLE witnessed_logs (
  origin TEXT PRIMARY KEY,
  vkey TEXT NOT NULL,
  added_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
