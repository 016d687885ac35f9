/** The migration that gives existing sessions an ID. */
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '#db/engine/migrate.ts';
import { sessionsIn } from '#db/sessions.ts';
import { BrowserSession } from '#core/schema/account.ts';
import { browserSessionOf } from '#server/identity/sessions.ts';
import { DAY_MS, NOW, NOW_MS } from '#tests/support/board/builders.ts';
import { MIGRATIONS, aDataDir } from '#tests/support/board/context.ts';

const now = () => new Date(NOW);

/** A database as the previous release left it. */
function anEarlierDatabase(): Database.Database {
  const folder = join(aDataDir(), 'migrations');
  mkdirSync(folder);
  const earlier = readdirSync(MIGRATIONS).filter((name) => name < '0005');
  for (const name of earlier) copyFileSync(join(MIGRATIONS, name), join(folder, name));
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  migrate(db, folder, now);
  return db;
}

test('existing sessions continue, each with its own ID', () => {
  const db = anEarlierDatabase();
  const until = new Date(NOW_MS + DAY_MS).toISOString();
  db.exec(`
    INSERT INTO operators (id, public_id, codename, created_at) VALUES (1, 'p', 'ada', '${NOW}');
    INSERT INTO sessions (id_hash, operator_id, created_at, expires_at)
    VALUES ('a', 1, '${NOW}', '${until}'), ('b', 1, '${NOW}', '${until}');
  `);
  migrate(db, MIGRATIONS, now);

  const sessions = sessionsIn(db).ofOperator(1);
  const shown = sessions.map((row) => BrowserSession.parse(browserSessionOf(row, undefined)));
  expect(new Set(shown.map(({ id }) => id)).size).toBe(2);
  expect(shown[0]).toMatchObject({ method: null, last_seen_at: null, expires_at: until });
});
