import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { migrate, migrationsIn } from '#db/engine/migrate.ts';
import { MIGRATIONS } from '#tests/support/board/context.ts';

test('an upgrade names the board where it acted by itself, and changes no other entry', () => {
  const db = new Database(':memory:');
  const names = migrationsIn(MIGRATIONS);
  const now = () => new Date(0);
  migrate(db, MIGRATIONS, now, names.slice(0, names.indexOf('0027-announcements.sql')));
  const add = db.prepare(`
    INSERT INTO audit_log (action, subject, reason, created_at, via) VALUES (?, 'x', ?, '2026', ?)`);
  add.run('backup', 'Scheduled', 'command');
  add.run('backup', null, 'command');
  add.run('webhook_disable', 'Gone', 'command');
  add.run('hide', 'Scheduled', 'page');
  add.run('role', null, 'setup');

  migrate(db, MIGRATIONS, now, names);

  expect(db.prepare('SELECT action, reason, via FROM audit_log').raw().all()).toEqual([
    ['backup', null, 'board'],
    ['backup', null, 'command'],
    ['webhook_disable', 'Gone', 'board'],
    ['hide', 'Scheduled', 'page'],
    ['role', null, 'setup'],
  ]);
  const wrong = `INSERT INTO audit_log (action, subject, created_at, via) VALUES ('x', 'x', 'x', 'x')`;
  expect(() => db.exec(wrong)).toThrow('CHECK constraint failed');
  db.close();
});
