import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '#db/engine/migrate.ts';
import { openStore } from '#db/store.ts';
import { NOW } from '#tests/support/board/builders.ts';
import { MIGRATIONS, aDataDir } from '#tests/support/board/context.ts';
import { aDatabase, aPopulatedDatabase } from '#tests/support/board/database.ts';
import { expectMode } from '#tests/support/board/file-mode.ts';

const now = () => new Date(NOW);

const COUNTS = `daily_counts (operator_id, day, source, device_id, input, output, cache_write, cache_read, log_index, counts)`;

function aStore(path = ':memory:', migrations = MIGRATIONS, clock = now) {
  const store = openStore({ path, migrations, now: clock });
  onTestFinished(() => store.close());
  return store;
}

const anyOperator = (codename: string) => ({ public_id: codename, codename, created_at: NOW });

describe('openStore()', () => {
  test('creates folder and file for their owner only', () => {
    const path = join(aDataDir(), 'inner', 'board.sqlite');
    aStore(path).operators.add(anyOperator('ada'));

    expectMode(join(path, '..'), 0o700);
    expectMode(path, 0o600);
    expectMode(`${path}-wal`, 0o600);
  });

  test('keeps what an earlier run wrote', () => {
    const path = join(aDataDir(), 'board.sqlite');
    const first = openStore({ path, migrations: MIGRATIONS, now });
    first.operators.add(anyOperator('ada'));
    first.close();

    expect(aStore(path).operators.byCodename('ada')).toMatchObject({
      id: 1,
      privacy_mode: 'pseudonymous',
      data_opt_out: 0,
      log_index: 0,
    });
  });

  test('lets two processes use one file', () => {
    const path = join(aDataDir(), 'board.sqlite');
    const [server, admin] = [aStore(path), aStore(path)];

    admin.operators.add(anyOperator('ada'));

    expect(server.operators.byCodename('ada')).toBeDefined();
    expect(server.operators.add(anyOperator('ada'))).toBeUndefined();
  });

  test('enforces foreign keys', () => {
    const device = {
      public_id: 'd',
      operator_id: 7,
      installation_id: 'i',
      label: 'l',
      created_at: NOW,
    };

    expect(() => aStore().devices.add(device)).toThrow(/FOREIGN KEY/);
  });
});

describe('transaction()', () => {
  test('keeps all of the work or none', () => {
    const store = aStore();

    expect(() =>
      store.transaction(() => {
        store.operators.add(anyOperator('ada'));
        throw new Error('stopped');
      }),
    ).toThrow('stopped');
    expect(store.operators.byCodename('ada')).toBeUndefined();
    expect(store.transaction(() => store.operators.add(anyOperator('ada')))).toMatchObject({
      id: 1,
    });
  });
});

describe('snapshot()', () => {
  test('reads one state, whatever others write at the same time', () => {
    const path = join(aDataDir(), 'board.sqlite');
    const [reader, writer] = [aStore(path), aStore(path)];

    const seen = reader.snapshot(() => {
      const before = reader.operators.byCodename('ada');
      writer.operators.add(anyOperator('ada'));
      return [before, reader.operators.byCodename('ada')];
    });

    expect(seen).toEqual([undefined, undefined]);
    expect(reader.operators.byCodename('ada')).toBeDefined();
  });
});

describe('migrate()', () => {
  function aMigration(files: Readonly<Record<string, string>>): string {
    const folder = join(aDataDir(), 'migrations');
    mkdirSync(folder);
    Object.entries(files).forEach(([name, sql]) => writeFileSync(join(folder, name), sql));
    return folder;
  }

  function anEmptyDatabase(): Database.Database {
    const db = new Database(':memory:');
    onTestFinished(() => void db.close());
    return db;
  }

  const applied = (db: Database.Database) => db.prepare('SELECT * FROM migrations').all();

  test('applies each file once, in order of name', () => {
    const db = anEmptyDatabase();
    const folder = aMigration({
      '0002-second.sql': 'ALTER TABLE a ADD COLUMN y;',
      '0001-first.sql': 'CREATE TABLE a (x);',
      'notes.txt': 'not SQL',
    });

    migrate(db, folder, now);
    migrate(db, folder, () => new Date(0));

    expect(applied(db)).toEqual([
      { name: '0001-first.sql', applied_at: NOW },
      { name: '0002-second.sql', applied_at: NOW },
    ]);
  });

  test('leaves nothing of a migration that fails, and applies it once it is fixed', () => {
    const db = anEmptyDatabase();
    const folder = aMigration({
      '0001-first.sql': 'CREATE TABLE a (x);',
      '0002-second.sql': 'CREATE TABLE b (x); CREATE TABLE a (x);',
    });

    expect(() => migrate(db, folder, now)).toThrow(/already exists/);
    expect(applied(db)).toHaveLength(1);
    writeFileSync(join(folder, '0002-second.sql'), 'CREATE TABLE b (x);');
    migrate(db, folder, now);

    expect(applied(db)).toHaveLength(2);
    expect(() => db.exec('INSERT INTO b VALUES (1)')).not.toThrow();
  });

  test('applies a file that was added later', () => {
    const db = anEmptyDatabase();
    const folder = aMigration({ '0001-first.sql': 'CREATE TABLE a (x);' });
    migrate(db, folder, now);
    writeFileSync(join(folder, '0002-second.sql'), 'CREATE TABLE b (x);');
    migrate(db, folder, now);

    expect(applied(db)).toHaveLength(2);
    rmSync(folder, { recursive: true });
  });
});

describe('the schema', () => {
  test('has only strict tables', () => {
    const loose = aDatabase()
      .prepare(
        `SELECT name FROM pragma_table_list
         WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND strict = 0`,
      )
      .all();

    expect(loose).toEqual([]);
  });

  test.each([
    ['an unknown privacy mode', `UPDATE operators SET privacy_mode = 'secret'`],
    ['an opt-out of 2', 'UPDATE operators SET data_opt_out = 2'],
    [
      'a duplicate codename',
      `INSERT INTO operators (id, public_id, codename, created_at) VALUES (2, 'q', 'ada', '')`,
    ],
    ['an unknown trust', `UPDATE devices SET trust = 'verified'`],
    ['a duplicate installation', `UPDATE devices SET installation_id = 'i1'`],
    ['a key of 31 bytes', `INSERT INTO device_keys VALUES ('k', 1, zeroblob(31), '', NULL, NULL)`],
    ['a key as text', `INSERT INTO device_keys VALUES ('k', 1, 'x', '', NULL, NULL)`],
    [
      'a revocation without reason',
      `INSERT INTO device_keys VALUES ('k', 1, zeroblob(32), '', '', NULL)`,
    ],
    [
      'a reason without revocation',
      `INSERT INTO device_keys VALUES ('k', 1, zeroblob(32), '', NULL, 'logout')`,
    ],
    ['an unknown reason', `INSERT INTO device_keys VALUES ('k', 1, zeroblob(32), '', '', 'lost')`],
    ['a salt without payload', 'UPDATE main.log_entries SET salt = zeroblob(32)'],
    [
      'a salt of 31 bytes',
      `UPDATE main.log_entries SET salt = zeroblob(31), payload = zeroblob(1)`,
    ],
    ['a negative count', `INSERT INTO ${COUNTS} VALUES (1, 20000, 0, 1, -1, 0, 0, 0, 1, 1)`],
    ['a negative cache count', `INSERT INTO ${COUNTS} VALUES (1, 20000, 0, 1, 0, 0, -1, 0, 1, 1)`],
    ['a fraction', `INSERT INTO ${COUNTS} VALUES (1, 20000, 0, 1, 0.5, 0, 0, 0, 1, 1)`],
    ['a null input', `INSERT INTO ${COUNTS} VALUES (1, 20000, 0, 1, NULL, 0, 0, 0, 1, 1)`],
    ['less stated than counted', 'UPDATE daily_counts SET stated_input = 1, input = 2'],
    ['an empty fingerprint', 'UPDATE daily_counts SET fingerprint = zeroblob(0)'],
    ['a fingerprint of 16 values', 'UPDATE daily_counts SET fingerprint = zeroblob(64)'],
    ['a verdict of 2', `INSERT INTO ${COUNTS} VALUES (1, 20000, 0, 1, 0, 0, 0, 0, 1, 2)`],
  ])('rejects %s', (_, sql) => {
    const db = aPopulatedDatabase();
    db.exec(`INSERT INTO ${COUNTS} VALUES (1, 20001, 0, 1, 0, 0, NULL, NULL, 1, 1)`);

    expect(() => db.exec(sql)).toThrow(/constraint failed|cannot store/);
  });

  test("deletes an operator's rows with the operator, and keeps the log", () => {
    const db = aPopulatedDatabase();
    db.exec(`
      INSERT INTO ${COUNTS} VALUES (1, 20001, 0, 1, 0, 0, NULL, NULL, 1, 1);
      INSERT INTO sources VALUES (1, 0, 't', 'p', 'm');
      INSERT INTO usage_blocks VALUES (1, 24000, x'00');
      INSERT INTO device_keys VALUES ('k', 1, zeroblob(32), '', NULL, NULL);
      INSERT INTO sessions (id_hash, operator_id, created_at, expires_at, public_id)
        VALUES ('s', 1, '', '', 'x');
      INSERT INTO login_links VALUES ('l', 1, '', '', NULL);
      INSERT INTO enrollment_codes VALUES ('c', 1, '', '', NULL);
      INSERT INTO main.submissions
        VALUES (1, 'id', 1, 1, 'k', 's1', NULL, '', '', '', 1, 1, '', '', '[]', 'accepted', '');
      UPDATE main.log_entries SET operator_id = 1;
      DELETE FROM operators;
    `);
    const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    const owned = [
      'daily_counts',
      'sources',
      'usage_blocks',
      'devices',
      'device_keys',
      'sessions',
      'login_links',
      'enrollment_codes',
      'submissions',
    ];

    expect(owned.map(count)).toEqual(owned.map(() => 0));
    expect(count('log_entries')).toBe(9);
    expect(count('log_entries WHERE operator_id IS NOT NULL')).toBe(0);
  });
});
