import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { returned } from '#db/returned.ts';

/** A table of pairs, of which no row can be stored: that shows only when the statement ends. */
function aTableThatFails(): Database.Database {
  const db = new Database(':memory:');
  db.exec(`CREATE TABLE pairs (
    id INTEGER PRIMARY KEY,
    other INTEGER REFERENCES pairs (id) DEFERRABLE INITIALLY DEFERRED
  )`);
  return db;
}

const INSERT = 'INSERT INTO pairs (id, other) VALUES (?, ?) RETURNING id';

test('returned() gives the row that was stored', () => {
  const db = aTableThatFails();
  expect(returned(db.prepare(INSERT), 1, 1)).toEqual({ id: 1 });
  expect(returned(db.prepare('DELETE FROM pairs WHERE id = ? RETURNING id'), 2)).toBeUndefined();
});

test('returned() throws where a row could not be stored, which get() does not', () => {
  const db = aTableThatFails();
  const insert = db.prepare(INSERT);

  expect(insert.get(1, 2)).toEqual({ id: 1 });
  expect(() => returned(insert, 1, 2)).toThrow('FOREIGN KEY constraint failed');

  expect(db.prepare('SELECT * FROM pairs').all()).toEqual([]);
});
