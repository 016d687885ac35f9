-- How often two parts of operators' days agree within their intervals, as computed with the public log's file. There is at most one.
CREATE TABLE calibration (
  as_of TEXT PRIMARY KEY,
  log_index INTEGER NOT NULL,
  result TEXT NOT NULL
) STRICT, WITHOUT ROWID;
