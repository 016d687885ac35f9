import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { migrate } from '#db/migrate.ts';
import { NOW } from '#tests/support/builders.ts';
import { aDataDir } from '#tests/support/context.ts';
import { aPopulatedDatabase } from '#tests/support/database.ts';

function aFolderOf(sql: string): string {
  const folder = join(aDataDir(), 'migrations');
  mkdirSync(folder);
  writeFileSync(join(folder, '0002-next.sql'), sql);
  return folder;
}

const now = () => new Date(NOW);

describe('migrate()', () => {
  test('lets a migration rebuild a table without losing the rows that refer to it', () => {
    const db = aPopulatedDatabase();
    const rebuild = `
      CREATE TABLE rebuilt AS SELECT * FROM operators;
      DROP TABLE operators;
      CREATE TABLE operators (id INTEGER PRIMARY KEY, public_id TEXT, codename TEXT);
      INSERT INTO operators SELECT id, public_id, codename FROM rebuilt;
      DROP TABLE rebuilt;`;

    migrate(db, aFolderOf(rebuild), now);

    expect(db.prepare('SELECT count(*) FROM devices').pluck().get()).toBe(3);
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
  });

  test('undoes a migration that leaves rows which refer to nothing', () => {
    const db = aPopulatedDatabase();
    const folder = aFolderOf('DELETE FROM operators;');

    expect(() => migrate(db, folder, now)).toThrow('0002-next.sql leaves rows');
    expect(db.prepare('SELECT count(*) FROM operators').pluck().get()).toBe(1);
    expect(db.prepare('SELECT name FROM migrations').pluck().all()).not.toContain('0002-next.sql');
  });
});
