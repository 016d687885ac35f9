import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { statementsIn } from '#db/statements.ts';

/** A table of pairs that accepts no row, which SQLite reports only at the end of a statement. */
function aTableThatFails(): Database.Database {
  const db = new Database(':memory:');
  db.exec(`CREATE TABLE pairs (
    id INTEGER PRIMARY KEY,
    other INTEGER REFERENCES pairs (id) DEFERRABLE INITIALLY DEFERRED
  )`);
  return db;
}

const INSERT = 'INSERT INTO pairs (id, other) VALUES (?, ?) RETURNING id';

test('a statement with RETURNING returns the stored row', () => {
  const sql = statementsIn(aTableThatFails());
  expect(sql.get<(id: number, other: number) => object>(INSERT)(1, 1)).toEqual({ id: 1 });
  const remove = sql.get<(id: number) => object>('DELETE FROM pairs WHERE id = ? RETURNING id');
  expect(remove(2)).toBeUndefined();
});

test('a statement with RETURNING throws if the row could not be stored, which SQLite reports at its end', () => {
  const db = aTableThatFails();
  const sql = statementsIn(db);

  expect(db.prepare(INSERT).get(1, 2)).toEqual({ id: 1 });
  expect(() => sql.get<(id: number, other: number) => object>(INSERT)(1, 2)).toThrow(
    'FOREIGN KEY constraint failed',
  );

  expect(db.prepare('SELECT * FROM pairs').all()).toEqual([]);
});

test('values are bound by name, or in the order of first use', () => {
  const sql = statementsIn(new Database(':memory:'));
  const text = 'SELECT @b AS b, @a AS a, @b AS again';
  const row = { b: 1, a: 2, again: 1 };
  expect(sql.get<(b: number, a: number) => object>(text)(1, 2)).toEqual(row);
  expect(sql.get<(of: object) => object>(text)({ a: 2, b: 1 })).toEqual(row);
});
