import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { groupCommit } from '#db/engine/group-commit.ts';
import { WriteLock } from '#db/engine/write-lock.ts';

test('rejects all writes that share a commit if a full disk undoes it, and stores none of them', async () => {
  const db = new Database(':memory:');
  db.exec('CREATE TABLE notes (text TEXT)');
  db.pragma('max_page_count = 20');
  const insert = db.prepare('INSERT INTO notes (text) VALUES (?)');
  const commit = groupCommit(db, new WriteLock());
  const texts = ['first', 'x'.repeat(1_000_000), 'last'];

  const outcomes = await Promise.allSettled(texts.map((text) => commit(() => insert.run(text))));

  const full = { status: 'rejected', reason: { code: 'SQLITE_FULL' } };
  expect(outcomes).toMatchObject([full, full, full]);
  expect(db.prepare('SELECT text FROM notes').all()).toEqual([]);
  await commit(() => insert.run('again'));
  expect(db.prepare('SELECT text FROM notes').all()).toEqual([{ text: 'again' }]);
});
