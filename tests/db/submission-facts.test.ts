/** The migration that fills the facts of earlier submissions from the log. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import { migrate } from '#db/engine/migrate.ts';
import { composeRecord } from '#core/domain/metrics/record.ts';
import type { OperatorRecord } from '#core/schema/record.ts';
import { NOW, aBucket, aDevice, aRecord, anEnvelope } from '#tests/support/board/builders.ts';
import { MIGRATIONS, aDataDir } from '#tests/support/board/context.ts';

const now = () => new Date(NOW);

/** A database as the first release left it, with an operator and a device. */
function aFirstDatabase(): Database.Database {
  const folder = join(aDataDir(), 'migrations');
  mkdirSync(folder);
  copyFileSync(join(MIGRATIONS, '0001-foundation.sql'), join(folder, '0001-foundation.sql'));
  const db = new Database(':memory:');
  onTestFinished(() => void db.close());
  migrate(db, folder, now);
  db.exec(`
    INSERT INTO operators (id, public_id, codename, created_at) VALUES (1, 'p', 'ada', '${NOW}');
    INSERT INTO devices (id, public_id, operator_id, trust, installation_id, label, created_at)
    VALUES (1, 'd1', 1, 'signed', 'i1', 'a', '${NOW}');
  `);
  return db;
}

/** Stores a signed snapshot of these records as the first release did. */
async function store(
  db: Database.Database,
  id: string,
  records: OperatorRecord[],
  state = 'accepted',
): Promise<void> {
  const device = await aDevice();
  const payload = await anEnvelope(device, { records });
  const log_index = db
    .prepare(
      `INSERT INTO log_entries (kind, previous, received_at, payload_digest, entry_hash, operator_id, salt, payload)
       VALUES ('snapshot', '', '${NOW}', '', '', 1, zeroblob(32), ?) RETURNING log_index`,
    )
    .pluck()
    .get(Buffer.from(JSON.stringify(payload)));
  db.prepare(
    `INSERT INTO submissions VALUES (?, ?, 1, 1, ?, 'sent', 'hash', 'opbench', '0.1.0', ?, ?, '{}')`,
  ).run(log_index, id, device.keyid, records.length, state);
}

const submissions = (db: Database.Database) =>
  db
    .prepare('SELECT id, records, days, first_day, last_day, tools, state FROM submissions')
    .all() as unknown[];

describe('0003-submission-facts', () => {
  test('reads the facts of stored submissions from the log, in UTC days', async () => {
    const db = aFirstDatabase();
    await store(db, 'one', [aRecord()]);
    await store(db, 'offsets', [
      aRecord({ timestamp: '2026-03-02T05:30:00.000+05:30' }),
      aRecord({ timestamp: '2026-02-28T19:00:00-05:00' }),
      aRecord({ timestamp: '2026-03-02T00:00:00Z' }),
    ]);
    const tools = ['zed', 'codex', 'a "quoted" \u{1F600}'];
    await store(
      db,
      'tools',
      tools.map((tool) => composeRecord(aBucket({ tool }))),
      'withdrawn',
    );

    migrate(db, MIGRATIONS, now);

    const oneDay = { days: 1, first_day: '2026-03-01', last_day: '2026-03-01' };
    expect(submissions(db)).toEqual([
      { id: 'one', records: 1, ...oneDay, tools: '["claude-code"]', state: 'accepted' },
      {
        id: 'offsets',
        records: 3,
        days: 2,
        first_day: '2026-03-01',
        last_day: '2026-03-02',
        tools: '["claude-code"]',
        state: 'accepted',
      },
      {
        id: 'tools',
        records: 3,
        ...oneDay,
        tools: JSON.stringify(['a "quoted" \u{1F600}', 'codex', 'zed']),
        state: 'withdrawn',
      },
    ]);
  });

  test('keeps every other column, the constraints and the indexes', async () => {
    const db = aFirstDatabase();
    await store(db, 'one', [aRecord()]);
    const before = db.prepare('SELECT * FROM submissions').get() as object;
    const names = `SELECT type, name FROM sqlite_schema WHERE tbl_name = 'submissions' ORDER BY name`;
    const objects = db.prepare(names).all();
    const later = { type: 'index', name: 'submissions_by_idempotency_key' };

    migrate(db, MIGRATIONS, now);

    expect(db.prepare('SELECT * FROM submissions').get()).toMatchObject(before);
    expect(db.prepare(names).all()).toEqual(expect.arrayContaining([...objects, later]));
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(() => db.exec('UPDATE submissions SET collector_name = NULL')).toThrow('CHECK');
    expect(() => db.exec(`UPDATE submissions SET first_day = '2026-03-02'`)).toThrow('CHECK');
    db.exec('DELETE FROM operators');
    expect(submissions(db)).toEqual([]);
  });

  test('accepts a database without submissions', () => {
    const db = aFirstDatabase();

    migrate(db, MIGRATIONS, now);

    expect(submissions(db)).toEqual([]);
  });
});
