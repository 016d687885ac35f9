import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate, migrationsIn } from '#db/engine/migrate.ts';
import { NOW } from '#tests/support/board/builders.ts';
import { MIGRATIONS } from '#tests/support/board/context.ts';

const now = () => new Date(NOW);
const PASSKEYS = '0021-passkeys.sql';

test('an upgrade keeps the sign-in methods, their links in progress, and what unlinking deletes', () => {
  const db = new Database(':memory:');
  migrate(
    db,
    MIGRATIONS,
    now,
    migrationsIn(MIGRATIONS).filter((name) => name < PASSKEYS),
  );
  db.exec(`
    INSERT INTO operators (id, public_id, codename, created_at) VALUES (1, 'o', 'ada', '${NOW}');
    INSERT INTO identities VALUES ('i', 1, 'github', 's', 'octocat', '${NOW}', '${NOW}');
    INSERT INTO mail_links VALUES ('t', 'b', 'c', 's', 'l', NULL, 1, 0, '${NOW}', '${NOW}');`);
  const before = db.prepare('SELECT * FROM identities').all();

  migrate(db, MIGRATIONS, now);

  expect(db.prepare('SELECT * FROM identities').all()).toEqual(before);
  db.exec(`
    INSERT INTO identities VALUES ('p', 1, 'passkey', 'k', 'Phone', '${NOW}', NULL);
    INSERT INTO passkeys VALUES ('p', x'01', x'02', 0);
    DELETE FROM identities WHERE id = 'i';`);
  const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  expect([count('mail_links'), count('passkeys')]).toEqual([0, 1]);
  db.exec('DELETE FROM operators');
  expect([count('identities'), count('passkeys')]).toEqual([0, 0]);
  db.close();
});
