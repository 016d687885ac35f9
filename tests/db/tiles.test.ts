import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { entryText, hex } from '#core/domain/log/log-entry.ts';
import { TILE_WIDTH, hashesOf, tileWidth } from '#core/domain/tlog/tile.ts';
import { inclusionPath, leafHash, rootOf, rootOfInclusion } from '#core/domain/tlog/tree.ts';
import { runMoves } from '#db/engine/moves.ts';
import { logIn } from '#db/log.ts';
import { sha256 } from '#db/sha256.ts';
import { statementsIn } from '#db/statements.ts';
import { tilesIn, tilesMoveIn } from '#db/tiles.ts';
import { NOW } from '#tests/support/board/builders.ts';
import { aDatabase } from '#tests/support/board/database.ts';
import { naiveRoot } from '#tests/support/protocol/naive-tree.ts';

/** Tiles of entries are full at these sizes, and the last one also fills a tile of level 1. */
const SIZES = [0, 1, 255, 256, 257, 700];

/** A log of some entries, and the text that the hash of each covers. */
function aLogOf(count: number, db = aDatabase()) {
  const log = logIn(db);
  const append = () =>
    log.append({ kind: 'ruleset', operator_id: null, payload: {}, now: new Date(NOW) });
  const texts = Array.from({ length: count }, append).map(({ log_index: index, ...entry }) =>
    Buffer.from(entryText({ index, ...entry }, entry.payload_digest)),
  );
  return { db, texts, append, tiles: tilesIn(db) };
}

const rowsOf = (db: Database.Database) =>
  db.prepare('SELECT level, number, length(hashes) / 32 AS width FROM tiles').raw().all();

test.each(SIZES)('the tree of %d entries has them as its leaves', (size) => {
  const { texts, tiles } = aLogOf(size);

  expect(tiles.size()).toBe(size);
  expect(hex(rootOf(size, tiles.node, sha256))).toBe(hex(naiveRoot(texts)));
});

test('only full tiles of entries are stored, and a hash of each in the level above', () => {
  const { db, texts, tiles } = aLogOf(700);

  expect(rowsOf(db)).toEqual([
    [0, 0, 256],
    [0, 1, 256],
    [1, 0, 2],
  ]);
  expect(hashesOf(tiles.tile(0, 2))).toHaveLength(tileWidth({ level: 0, number: 2 }, 700));
  expect(tiles.tile(0, 3)).toHaveLength(0);
  expect(tiles.entries(2, 188)).toEqual(texts.slice(512));
});

test('the leaf of an entry follows from its text alone, and its path from the tiles', () => {
  const { texts, tiles } = aLogOf(700);
  const [index, size] = [300, tiles.size()];
  const path = inclusionPath(index, size, tiles.node, sha256);

  const leaf = leafHash(texts[index] ?? Buffer.alloc(0), sha256);
  const root = rootOfInclusion(leaf, { index, size, path }, sha256);

  expect(hex(root)).toBe(hex(rootOf(size, tiles.node, sha256)));
});

test('a full tile of level 1 begins level 2', () => {
  const { db } = aLogOf(0);
  const fill = db.prepare(`INSERT INTO tiles VALUES (0, ${TILE_WIDTH - 2}, ?), (1, 0, ?)`);
  fill.run(Buffer.alloc(TILE_WIDTH * 32), Buffer.alloc((TILE_WIDTH - 1) * 32));
  const log = statementsIn(db).run<(index: number) => void>(`
    INSERT INTO packed_entries (log_index, received_at, payload_digest, entry_hash, form)
    VALUES (@index, 0, zeroblob(32), zeroblob(32), 0)`);
  const last = TILE_WIDTH ** 2;
  for (let index = last - TILE_WIDTH; index <= last; index += 1) log(index);

  expect(tilesIn(db).storeNext()).toBe(true);

  expect(rowsOf(db).slice(-2)).toEqual([
    [1, 0, TILE_WIDTH],
    [2, 0, 1],
  ]);
});

test('entries of earlier versions are hashed in steps, after each of which it may be interrupted', () => {
  const { db, texts } = aLogOf(1100);
  const expected = rowsOf(db);
  db.exec('DELETE FROM tiles');
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 4));
  onTestFinished(() => void vi.restoreAllMocks());
  const sizes: number[] = [];

  while (tilesMoveIn(db).step()) {
    const { size, node, missing } = tilesIn(db);
    sizes.push(size(), missing());
    const root = rootOf(size(), node, sha256);
    expect(hex(root)).toBe(hex(naiveRoot(texts.slice(0, size()))));
  }

  expect(sizes).toEqual([511, 768, 767, 512, 1023, 256, 1100, 0]);
  expect(rowsOf(db)).toEqual(expected);
});

test('entries that are appended meanwhile do not leave a gap', () => {
  const { db, append, tiles } = aLogOf(600);
  db.exec('DELETE FROM tiles');
  for (let more = 0; more < 200; more += 1) append();
  runMoves({ moves: [tilesMoveIn(db)] });
  for (let more = 0; more < 300; more += 1) append();

  expect(tiles.missing()).toBe(0);
  expect(rowsOf(db)).toHaveLength(5);
});

test('a tile is not stored if the entry that fills it is rolled back', () => {
  const { db, append, tiles } = aLogOf(255);
  const failing = db.transaction(() => {
    append();
    throw new Error('full');
  });

  expect(failing).toThrow('full');

  expect([tiles.size(), rowsOf(db)]).toEqual([255, []]);
});
