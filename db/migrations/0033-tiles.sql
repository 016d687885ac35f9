-- The hashes of the Merkle tree over the log (src/core/domain/tlog/tile.ts). A tile of level 0 is stored once its 256 entries exist, and
-- those of other levels grow by a hash with each full tile below. Entries after the last full tile are hashed when they are read.
CREATE TABLE tiles (
  level INTEGER NOT NULL CHECK (level >= 0),
  number INTEGER NOT NULL CHECK (number >= 0),
  hashes BLOB NOT NULL CHECK (length(hashes) % 32 = 0 AND length(hashes) BETWEEN 32 AND 8192),
  PRIMARY KEY (level, number)
) STRICT, WITHOUT ROWID;
