import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { Findings } from '#core/domain/log/log-finding.ts';
import { inspectDatabase } from '#db/engine/inspection.ts';
import { databasePath } from '#server/config/config.ts';
import type { WholeFinding } from '#server/verify/log.ts';
import { checkTiles } from '#server/verify/tiles.ts';
import { testContext } from '#tests/support/board/context.ts';

/** What the check finds on a board with 600 entries, after a change to its database. */
function checkAfter(change: string) {
  const ctx = testContext();
  const { log, tiles, transaction } = ctx.store;
  const aNewEntry = { kind: 'ruleset', operator_id: null, payload: {}, now: ctx.now() } as const;
  while (tiles.size() < 600) transaction(() => log.append(aNewEntry));
  const db = new Database(databasePath(ctx.config));
  db.exec(change);
  db.close();
  const board = inspectDatabase(databasePath(ctx.config));
  onTestFinished(() => board.close());
  const findings = new Findings<WholeFinding>();
  const unchecked = checkTiles(board, findings);
  return { found: findings.kept.map(({ message }) => message), unchecked };
}

/** Clears eight bytes, because hashes differ in each run and one byte of them can be zero already. */
const cleared = (at: number) => `
  hashes = CAST(substr(hashes, 1, ${at}) || zeroblob(8) || substr(hashes, ${at} + 9) AS BLOB)`;

test.each([
  ['no change', 'DELETE FROM tiles WHERE level = 9', []],
  [
    'a part of a tile of entries',
    `UPDATE tiles SET ${cleared(43 * 32)} WHERE level = 0 AND number = 1`,
    ['the hash of entry 300 in tile/0/001 differs from the log'],
  ],
  [
    'a part of a tile above',
    `UPDATE tiles SET ${cleared(40)} WHERE level = 1`,
    ['the hash of tile/0/001 in tile/1/000 differs from the log'],
  ],
  [
    'a missing tile',
    'DELETE FROM tiles WHERE level = 0 AND number = 0',
    ['the hash of entry 1 in tile/0/000 differs from the log'],
  ],
  [
    'a hash too many',
    'UPDATE tiles SET hashes = CAST(hashes || zeroblob(32) AS BLOB) WHERE level = 1',
    ['the hash of tile/0/002 in tile/1/000 differs from the log'],
  ],
  [
    'a tile that the tree does not have',
    'INSERT INTO tiles VALUES (2, 0, zeroblob(32))',
    ['1 stored tiles do not belong to the tree'],
  ],
  [
    'another entry',
    `UPDATE packed_entries SET received_at = received_at + 1 WHERE log_index = 512`,
    [
      'the hash of entry 512 in tile/0/001 differs from the log',
      'the hash of tile/0/001 in tile/1/000 differs from the log',
    ],
  ],
])('%s is found and named', (_name, change, expected) => {
  expect(checkAfter(change)).toEqual({ found: expected, unchecked: [] });
});

test('entries that the server has not hashed yet are named as not checked', () => {
  const { found, unchecked } = checkAfter(`DELETE FROM tiles`);

  expect(found).toEqual([]);
  expect(unchecked).toEqual([expect.stringContaining('does not have 512 entries yet')]);
});

test('a missing entry ends the check, because the check of the log reports it', () => {
  const { found } = checkAfter('DELETE FROM packed_entries WHERE log_index = 512');

  expect(found).toEqual(['the hash of entry 512 in tile/0/001 differs from the log']);
});
