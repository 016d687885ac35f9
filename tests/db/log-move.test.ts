import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runMoves } from '#db/engine/moves.ts';
import type { LogEntryRow } from '#db/log.ts';
import { type Store, openStore } from '#db/store.ts';
import { databasePath } from '#server/config/config.ts';
import { MIGRATIONS } from '#tests/support/board/context.ts';
import { openToRead } from '#tests/support/board/stored-forms.ts';
import { aBoardOf, theWholeBoard, verified } from '#tests/support/board/whole-board.ts';
import { whenOver } from '#tests/support/board/cleanup.ts';

/** A board with every kind of log entry in the form of earlier versions, changed by SQL. */
async function anEarlierBoard(sql = '') {
  const { database } = await theWholeBoard();
  const settings = aBoardOf(database, (db) => void db.exec(sql));
  const path = databasePath({ dataDir: settings.DATA_DIR });
  const store = openStore({ path, migrations: MIGRATIONS, now: () => new Date() });
  whenOver(() => store.close());
  return { settings, path, store };
}

/** All rows, as readers see them. */
function rowsOf(path: string): unknown[] {
  const db = openToRead(path);
  const tables = ['log_entries', 'submissions'];
  const rows = tables.map((table) => db.prepare(`SELECT * FROM ${table} ORDER BY log_index`).all());
  db.close();
  return rows;
}

function countOf(path: string, table: string): unknown {
  const db = new Database(path, { readonly: true });
  const count = db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  db.close();
  return count;
}

const bytesOf = (store: Store) => store.operators.all().map(({ id }) => store.log.bytesOf(id));

describe('the move of the log', () => {
  test('keeps every row exactly, and empties the tables of earlier versions', async () => {
    const { path, store, settings } = await anEarlierBoard();
    const before = rowsOf(path);
    const bytes = bytesOf(store);
    const entries = countOf(path, 'log_entries');
    expect(countOf(path, 'packed_entries')).toBe(0);

    runMoves(store);

    expect(rowsOf(path)).toEqual(before);
    expect(bytesOf(store)).toEqual(bytes);
    expect(['log_entries', 'submissions'].map((table) => countOf(path, table))).toEqual([0, 0]);
    expect(countOf(path, 'packed_entries')).toBe(entries);
    expect(await verified(settings)).toMatchObject({ findings: [], whole: true });
  });

  test('can be interrupted after any piece, and readers see the same rows', async () => {
    const { path, store } = await anEarlierBoard();
    const before = rowsOf(path);
    const [move] = store.moves;
    // Each piece takes longer than it may after one row.
    let nowMs = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 1000));
    onTestFinished(() => void vi.restoreAllMocks());
    let pieces = 0;
    while (move?.step()) {
      pieces += 1;
      expect(rowsOf(path)).toEqual(before);
    }
    expect(pieces).toBe((before[0] as unknown[]).length);
    expect(move?.left()).toBe(0);
  });

  test('leaves a row that cannot be restored exactly, and says which', async () => {
    const { path, store } = await anEarlierBoard(`
      UPDATE log_entries SET received_at = '2026-03-10 12:00' WHERE log_index = 4;
      UPDATE log_entries SET previous = 'x' WHERE log_index = 7`);
    const before = rowsOf(path);
    const [move] = store.moves;

    expect(() => runMoves(store)).toThrow('2 log entries cannot be restored exactly: entry 4');

    expect(move?.left()).toBe(2);
    expect(rowsOf(path)).toEqual(before);
    expect(() => runMoves(store)).toThrow('2 log entries');
  });

  test('stores an answer as text if the board did not write it so', async () => {
    const { path, store } = await anEarlierBoard(
      `UPDATE submissions SET answer = ' ' || answer, submission_id = upper(submission_id)
       WHERE log_index = (SELECT min(log_index) FROM submissions)`,
    );
    const before = rowsOf(path);
    runMoves(store);
    expect(rowsOf(path)).toEqual(before);
    expect(countOf(path, 'packed_submissions WHERE answer IS NOT NULL')).toBe(1);
  });

  test('continues after an entry was added in between', async () => {
    const { path, store } = await anEarlierBoard();
    const [entries] = rowsOf(path) as [LogEntryRow[], unknown];
    const { packed, ...added } = store.transaction(() =>
      store.log.append({ kind: 'ruleset', operator_id: null, payload: {}, now: new Date() }),
    );
    expect(packed.previous).toBe(entries.at(-1)?.entry_hash);
    runMoves(store);
    expect(rowsOf(path)[0]).toEqual([...entries, { ...added, salt: Buffer.from(added.salt) }]);
  });
});

test('a piece that cannot be stored is moved again', async () => {
  const { path, store } = await anEarlierBoard();
  const before = rowsOf(path);
  const db = new Database(path);
  onTestFinished(() => void db.close());
  db.exec('BEGIN IMMEDIATE');
  // As for a server that waits for a moment only.
  const impatient = openStore({
    path,
    migrations: MIGRATIONS,
    now: () => new Date(),
    busyTimeoutMs: 1,
  });
  onTestFinished(() => impatient.close());
  expect(() => impatient.moves[0]?.step()).toThrow(/locked/);
  db.exec('COMMIT');

  runMoves(impatient);
  expect([rowsOf(path), store.moves[0]?.left()]).toEqual([before, 0]);
});
