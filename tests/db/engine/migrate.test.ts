import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { migrate } from '#db/engine/migrate.ts';
import { readDailyStanding } from '#core/domain/board/daily-standing.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { NOW } from '#tests/support/board/builders.ts';
import { aDayRow } from '#tests/support/board/kept-days.ts';
import { MIGRATIONS, aDataDir } from '#tests/support/board/context.ts';
import { aPopulatedDatabase } from '#tests/support/board/database.ts';

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

  test('undoes a migration that leaves rows with missing references', () => {
    const db = aPopulatedDatabase();
    const folder = aFolderOf('DELETE FROM operators;');

    expect(() => migrate(db, folder, now)).toThrow('0002-next.sql leaves rows');
    expect(db.prepare('SELECT count(*) FROM operators').pluck().get()).toBe(1);
    expect(db.prepare('SELECT name FROM migrations').pluck().all()).not.toContain('0002-next.sql');
  });

  test('keeps the places of days stored without intervals', () => {
    const before = join(aDataDir(), 'before');
    mkdirSync(before);
    const released = readdirSync(MIGRATIONS).filter((name) => name < '0009');
    for (const name of released) copyFileSync(join(MIGRATIONS, name), join(before, name));
    const db = new Database(':memory:');
    migrate(db, before, now);
    // A value of 2.5 at place 3, with rank 2, by each metric.
    const place = Buffer.alloc(16);
    place.writeDoubleLE(2.5, 0);
    place.writeUInt32LE(2, 8);
    place.writeUInt32LE(3, 12);
    const body = Buffer.concat(METRIC_NAMES.map(() => place));
    db.exec(
      `INSERT INTO operators (id, public_id, codename, created_at) VALUES (1, 'p', 'ada', '')`,
    );
    db.prepare(`INSERT INTO daily_standings VALUES ('2026-03-01', '', 'signed', 1, ?)`).run(body);

    migrate(db, MIGRATIONS, now);

    const kept = db.prepare('SELECT body FROM daily_standings').pluck().get() as Buffer;
    const row = aDayRow(1, 1, () => ({ value: 2.5, interval: null, rank: 2, place: 3 }));
    expect(readDailyStanding(1, kept)).toEqual(row);
    db.close();
  });
});
