/** Moving a board to another host and a later version with a backup. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import { runMoves } from '#db/engine/moves.ts';
import { openStore } from '#db/store.ts';
import { migrate, migrationsIn } from '#db/engine/migrate.ts';
import { openToRead } from '#tests/support/board/stored-forms.ts';
import { databasePath } from '#server/config/config.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { ROOT, aDataDir } from '#tests/support/board/context.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { packAllAsRows } from '#tests/support/board/kept-days.ts';
import { restoreInto } from '#tests/support/board/restoring.ts';
import { aBoardOf, theWholeBoard, verified } from '#tests/support/board/whole-board.ts';

const MIGRATIONS = join(ROOT, 'db/migrations');
/** The last migration of version 0.8.0. */
const LAST_OF_080 = '0011-contests.sql';
/** Tables that a restore changes. */
const CHANGED = [
  'audit_log',
  'enrollment_codes',
  'login_links',
  'migrations',
  'oidc_entities',
  'sessions',
  'sqlite_sequence',
];

/** The content of a database by table, in the columns that the other one has too. */
function contentOf(path: string, like: Map<string, string[]>) {
  const db = new Database(path, { readonly: true });
  const content = [...like].map(([table, columns]) => {
    const rows = db
      .prepare(`SELECT ${columns.join(', ')} FROM ${table}`)
      .raw()
      .all();
    return [table, rows.map((row) => JSON.stringify(row)).sort()] as const;
  });
  db.close();
  return Object.fromEntries(content);
}

function columnsOf(db: Database.Database): Map<string, string[]> {
  const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all();
  return new Map(
    (tables as string[]).map((table) => {
      const columns = db.pragma(`table_info(${table})`) as { name: string }[];
      return [table, columns.map(({ name }) => name)];
    }),
  );
}

/** The whole board as version 0.8.0 would have stored it, in a file of that version's schema. */
async function aBackupOf080() {
  const now = join(aDataDir(), 'now.sqlite');
  // With a change, all rows are stored in the form of earlier versions.
  const settings = aBoardOf((await theWholeBoard()).database, () => undefined);
  expect((await runAdmin(['backup', now], settings)).status).toBe(0);
  const board = new Database(now);
  packAllAsRows(board);
  board.close();
  const file = join(aDataDir(), 'backup.sqlite');
  const db = new Database(file);
  const names = migrationsIn(MIGRATIONS);
  migrate(db, MIGRATIONS, () => new Date(0), names.slice(0, names.indexOf(LAST_OF_080) + 1));
  const columns = columnsOf(db);
  columns.delete('migrations');
  db.pragma('foreign_keys = OFF');
  db.exec(`ATTACH '${now}' AS now; DELETE FROM sqlite_sequence`);
  for (const [table, names] of columns) {
    db.exec(`INSERT INTO main.${table} (${names.join()}) SELECT ${names.join()} FROM now.${table}`);
  }
  db.exec('DETACH now');
  db.pragma('journal_mode = DELETE');
  db.close();
  return { file, columns };
}

test('a backup of version 0.8.0 becomes a complete board of this version elsewhere', async () => {
  const { file, columns } = await aBackupOf080();
  const before = readFileSync(file);
  expect(columns.get('operators')).not.toContain('erasing_at');
  expect(columns.get('buckets')).not.toContain('fingerprint');

  const dataDir = aDataDir();
  const { status, stdout, stderr } = await restoreInto(dataDir, file, '--json');

  expect(stderr).not.toContain('fault of opbench-board');
  expect([status, JSON.parse(stdout)]).toMatchObject([0, { log_index: 41, operators: 6 }]);
  expect(await verified({ DATA_DIR: dataDir, BASE_URL })).toMatchObject({
    status: 0,
    findings: [],
    log_index: 41,
  });
  CHANGED.forEach((table) => columns.delete(table));
  const restored = contentOf(databasePath({ dataDir }), columns);
  expect(restored).toEqual(contentOf(file, columns));
  expect(restored['buckets']?.length).toBeGreaterThan(0);
  expect(readFileSync(file).equals(before)).toBe(true);

  const path = databasePath({ dataDir });
  const store = openStore({ path, migrations: MIGRATIONS, now: () => new Date() });
  const log = logOf(path);
  runMoves(store);
  store.close();
  expect(logOf(path)).toEqual(log);
  expect(await verified({ DATA_DIR: dataDir, BASE_URL })).toMatchObject({ findings: [] });
});

test('days of version 0.8.0 that were moved are whole', async () => {
  const { file } = await aBackupOf080();
  const dataDir = aDataDir();
  await restoreInto(dataDir, file);
  const store = openStore({
    path: databasePath({ dataDir }),
    migrations: MIGRATIONS,
    now: () => new Date(0),
  });
  expect(store.keptDays.chunks('2026-03-10', DEFAULT_SLICE)).toEqual([0]);
  expect(store.moves.find(({ name }) => name === 'kept_days')?.left()).toBeGreaterThan(0);

  runMoves(store);

  expect(store.moves.map(({ left }) => left())).toEqual(store.moves.map(() => 0));
  store.close();
  expect(await verified({ DATA_DIR: dataDir, BASE_URL }, '--every-day')).toMatchObject({
    status: 0,
    findings: [],
  });
});
/** The log and the submissions, in whatever form they are stored. */
function logOf(path: string): unknown[] {
  const db = openToRead(path);
  const rows = ['log_entries', 'submissions'].map((table) =>
    db.prepare(`SELECT * FROM ${table} ORDER BY log_index`).all(),
  );
  db.close();
  return rows;
}

test('a backup of the first version becomes a board of this version', async () => {
  const file = join(aDataDir(), 'backup.sqlite');
  const db = new Database(file);
  db.exec(readFileSync(join(ROOT, 'tests/fixtures/first-release.sql'), 'utf8'));
  db.close();
  const dataDir = aDataDir();

  expect((await restoreInto(dataDir, file)).status).toBe(0);

  expect(await verified({ DATA_DIR: dataDir, BASE_URL })).toMatchObject({
    status: 0,
    findings: [],
  });
});

test.each([
  ['export --whole', ['export', '--whole', 'board.ndjson.gz']],
  ['import', ['import', 'board.ndjson.gz']],
])('%s of earlier versions names its replacement', async (name, words) => {
  const { status, stderr } = await runAdmin(words, aBoardOf((await theWholeBoard()).database));
  expect(status).toBe(1);
  expect(stderr).toMatch(
    new RegExp(`${name} was removed: .*opbench-board backup FILE.*opbench-board restore FILE`),
  );
});
