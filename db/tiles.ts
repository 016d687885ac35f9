/**
 * The Merkle tree over the log. Entry n is the leaf n - 1, and its text is what its hash covers. Full tiles are rows.
 * The entries after them are hashed when they are read, so that most entries cost nothing when they are appended.
 */
import type { Database } from 'better-sqlite3';
import { type LogEntryHead, entryText } from '#core/domain/log/log-entry.ts';
import { TILE_WIDTH, hashesOf, nodesIn, rootOfHashes } from '#core/domain/tlog/tile.ts';
import { HASH_BYTES, leafHash } from '#core/domain/tlog/tree.ts';
import type { Move } from './engine/moves.ts';
import { writeTransaction } from './engine/write-lock.ts';
import { sha256 } from './sha256.ts';
import { statementsIn } from './statements.ts';

/** How long one step of the move may take before it is stored, in milliseconds. */
const STEP_MS = 6;

type LeafRow = LogEntryHead & { payload_digest: string };

export function tilesIn(db: Database) {
  const sql = statementsIn(db);
  const stored = sql.value<(level: number, number: number) => Uint8Array | undefined>(
    'SELECT hashes FROM tiles WHERE level = @level AND number = @number',
  );
  const store = sql.run<(level: number, number: number, hashes: Uint8Array) => void>(`
    INSERT INTO tiles (level, number, hashes) VALUES (@level, @number, @hashes)
    ON CONFLICT (level, number) DO UPDATE SET hashes = excluded.hashes`);
  const full = sql.value<() => number>(
    'SELECT coalesce(max(number) + 1, 0) FROM tiles WHERE level = 0',
  );
  const lastEntry = sql.value<() => number | undefined>(
    'SELECT log_index FROM log_entries ORDER BY log_index DESC LIMIT 1',
  );
  const rows = sql.all<(after: number, last: number) => LeafRow[]>(`
    SELECT log_index AS "index", kind, previous, received_at, payload_digest FROM log_entries
    WHERE log_index > @after AND log_index <= @last ORDER BY log_index`);

  /** The texts of up to `count` entries from the first one of a bundle. */
  function entries(bundle: number, count = TILE_WIDTH): Uint8Array[] {
    const after = bundle * TILE_WIDTH;
    return rows(after, after + count).map((row) => Buffer.from(entryText(row, row.payload_digest)));
  }

  const hashed = (number: number) =>
    Buffer.concat(entries(number).map((entry) => leafHash(entry, sha256)));

  /** Appends the root of a full tile to the tile above, which may then be full as well. */
  function add(level: number, number: number, hashes: Uint8Array): void {
    store(level, number, hashes);
    if (hashes.length < TILE_WIDTH * HASH_BYTES) return;
    const above = Math.floor(number / TILE_WIDTH);
    const before = stored(level + 1, above) ?? new Uint8Array();
    const root = rootOfHashes(hashesOf(hashes), sha256);
    add(level + 1, above, Buffer.concat([before, root]));
  }

  /** Stores the next full tile of entries. Call it inside a transaction. Returns false if it is not full yet. */
  function storeNext(): boolean {
    const number = full();
    const hashes = hashed(number);
    if (hashes.length < TILE_WIDTH * HASH_BYTES) return false;
    add(0, number, hashes);
    return true;
  }

  /** All hashes of a tile that exist; none for a tile beyond the tree. */
  function tile(level: number, number: number): Uint8Array {
    return stored(level, number) ?? (level === 0 ? hashed(number) : new Uint8Array());
  }

  return {
    /**
     * The number of entries in the tree. All entries, except while the tiles of earlier entries are missing. Never
     * decreases.
     */
    size: () => Math.min(lastEntry() ?? 0, (full() + 1) * TILE_WIDTH - 1),
    tile,
    entries,
    /** Reads the nodes of the tree, from which roots and proofs follow. */
    node: nodesIn(tile, sha256),
    storeNext,
    /** The hashes of a stored tile. Tiles of entries are stored once they are full. */
    stored: (level: number, number: number) => stored(level, number),
    /** How many tiles are stored. */
    count: sql.value<() => number>('SELECT count(*) FROM tiles'),
    /** How many tiles of entries should be stored, according to the last one. */
    full: () => full(),
    /** How many entries belong to full tiles that are missing. */
    missing: () => (Math.floor((lastEntry() ?? 0) / TILE_WIDTH) - full()) * TILE_WIDTH,
  };
}

/** Hashes the entries that earlier versions logged. */
export function tilesMoveIn(db: Database): Move {
  const { missing, storeNext } = tilesIn(db);
  const storePiece = () => {
    const end = performance.now() + STEP_MS;
    while (performance.now() < end) if (!storeNext()) return false;
    return true;
  };
  return { name: 'tiles', left: missing, step: () => writeTransaction(db, storePiece) };
}
