import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { CHANGES, sql, swapSignatures } from '#tests/support/board/board-changes.ts';
import { databasePath } from '#server/config/config.ts';
import { BASE_URL, DAY_MS, bucketsOfDays } from '#tests/support/board/builders.ts';
import {
  ROOT,
  aDataDir,
  anEnrolledDevice,
  publishAndKeep,
  submit,
  submitStating,
  testContext,
} from '#tests/support/board/context.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { exportOf, verify } from '#tests/support/board/public-log.ts';
import { spoilTable } from '#tests/support/http/spoilt-page.ts';
import { aBoardOf, theWholeBoard, verified } from '#tests/support/board/whole-board.ts';

const NOT_IN_LOG = expect.stringContaining('sign-ins, API keys') as string;

test('finds nothing on an intact board with every kind of log entry', async () => {
  const { database } = await theWholeBoard();
  const { status, findings, ...clean } = await verified(aBoardOf(database));
  expect(findings).toEqual([]);
  expect(status).toBe(0);
  expect(clean).toMatchObject({
    whole: true,
    log_index: 41,
    operators: 6,
    erased: 3,
    submissions: { signed: 12, self_reported: 1 },
    unchecked: [NOT_IN_LOG],
    notes: [],
  });
  expect(clean.boards.map(({ kept, extent }) => `${kept} ${extent}`)).toEqual([
    'daily partly',
    'daily partly',
    'current fully',
  ]);
});

test.each(Object.entries(CHANGES))('%s is found', async (_name, { change, code, says }) => {
  const { database } = await theWholeBoard();
  const { findings, status } = await verified(aBoardOf(database, change));
  const found = findings.filter((finding) => finding.code === code).map(({ message }) => message);
  expect(found).toContainEqual(expect.stringContaining(says));
  expect(status).toBe(3);
});

test('checks snapshots that state days, in the database and in the public log', async () => {
  const ctx = testContext();
  const span = { from: '2026-02-20', to: '2026-03-05' };
  const device = await anEnrolledDevice(ctx, 'ada');
  await submitStating(ctx, device, span, bucketsOfDays(9, '2026-02-20'));
  publishAndKeep(ctx);
  const settings = { DATA_DIR: ctx.config.dataDir, BASE_URL };
  expect(verify(exportOf(ctx)).findings).toEqual([]);
  expect(await verified(settings)).toMatchObject({ findings: [], submissions: { signed: 1 } });

  const db = new Database(databasePath(ctx.config));
  db.exec('UPDATE packed_submissions SET covers_to = covers_to + 1');
  db.close();
  expect((await verified(settings)).findings).toMatchObject([
    { code: 'submission_facts', message: expect.stringContaining('covers_to (ada)') as string },
  ]);
});

test('a saved head or copy reveals entries missing at the end', async () => {
  const { database, log } = await theWholeBoard();
  const board = aBoardOf(database);
  const { log_index, entry_hash } = await verified(board);
  const head = `${log_index}:${entry_hash}`;
  const copy = join(aDataDir(), 'log.ndjson.gz');
  writeFileSync(copy, gzipSync(log.join('')));
  expect((await verified(board, '--head', head, '--log', copy)).findings).toEqual([]);

  const shorter = aBoardOf(database, sql('DELETE FROM log_entries WHERE log_index > 39'));
  const { findings } = await verified(shorter, '--head', head, '--log', copy);
  const missing = findings.filter(({ code }) => code === 'entry_missing');
  expect(missing.map(({ message }) => message)).toEqual([
    expect.stringMatching(/2 entries .* saved head .*40–41/),
    expect.stringMatching(/2 entries .* saved copy .*40–41/),
  ]);
});

test('distinguishes another history from missing entries', async () => {
  const { database, log } = await theWholeBoard();
  const copy = join(aDataDir(), 'log.ndjson');
  writeFileSync(copy, log.join(''));
  const other = aBoardOf(database, swapSignatures);
  const { findings } = await verified(other, '--head', `41:${'0'.repeat(64)}`, '--log', copy);
  const told = findings.filter(({ code }) => code === 'copy_differs');
  expect(told.map(({ message }) => message)).toEqual([
    expect.stringContaining('entry 41 has a different hash than in the saved head'),
    expect.stringContaining('entries, from 5 on, have a different hash than in the saved copy'),
  ]);
});

test('a damaged copy proves nothing', async () => {
  const { database, log } = await theWholeBoard();
  const board = aBoardOf(database);
  const [first = '', ...rest] = log;
  const copies: Record<string, [lines: string[], says: RegExp]> = {
    'a changed line': [
      [first.replace('"as_of"', '"as_if"'), ...rest],
      /was damaged or changed, so it proves nothing \(line 1: /,
    ],
    'cut off': [log.slice(0, -1), /the file stops after line \d+/],
    'without every third line': [log.filter((_, index) => index % 3 !== 1), /, and \d+ more\)/],
    'without entries': [log.filter((line) => !line.includes('"line":"entry"')), /proves nothing/],
    'nothing but its end': [log.slice(-1), /proves nothing/],
    'a text': [['Once upon a time\n'], /is not a public log, so it proves nothing/],
  };
  for (const [name, [lines, says]] of Object.entries(copies)) {
    const copy = join(aDataDir(), 'log.ndjson');
    writeFileSync(copy, lines.join(''));
    const { status, findings, ...rest } = await verified(board, '--log', copy);
    expect({ status, ...rest }, name).toMatchObject({ status: 3, copy: null, whole: false });
    expect(findings, name).toEqual([
      { code: 'copy_invalid', message: expect.stringMatching(says) as string },
    ]);
  }
});

test('recomputes the newest stored days, and all with --every-day', async () => {
  const ctx = testContext();
  await submit(ctx, await anEnrolledDevice(ctx, 'ada'), bucketsOfDays(9, '2026-02-20'));
  for (let day = 0; day < 10; day += 1) {
    publishAndKeep(ctx);
    ctx.clock.nowMs += DAY_MS;
  }
  const db = new Database(databasePath(ctx.config));
  const [oldest] = db.prepare('SELECT min(day) FROM daily_publications').pluck().all();
  db.prepare('DELETE FROM day_places WHERE day = ?').run(oldest);
  db.close();
  const settings = { DATA_DIR: ctx.config.dataDir, BASE_URL };

  const newest = await verified(settings);
  expect(newest).toMatchObject({ findings: [], status: 0 });
  expect(newest.boards.map(({ kept }) => kept)).toEqual([...Array(7).fill('daily'), 'current']);
  expect(newest.unchecked).toEqual([
    expect.stringMatching(/2 earlier days.*--every-day/),
    NOT_IN_LOG,
  ]);

  const all = await verified(settings, '--every-day');
  expect(all.unchecked).toEqual([NOT_IN_LOG]);
  expect(all.findings[0]?.message).toContain('lacks the row of ada');
  expect(all.status).toBe(3);
});

test("accepts tables of Litestream and of SQLite's ANALYZE", async () => {
  const { database } = await theWholeBoard();
  const board = aBoardOf(
    database,
    sql(`CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
      CREATE TABLE _litestream_lock (id TEXT UNIQUE); INSERT INTO _litestream_seq VALUES (1, 1); ANALYZE`),
  );
  expect(await verified(board)).toMatchObject({ findings: [], status: 0 });
});

test('verifies a backup of an earlier version as far as possible, without changing it', async () => {
  const folder = aDataDir();
  const path = join(folder, 'old.sqlite');
  const change = (sqlText: string) => {
    const db = new Database(path);
    db.pragma('synchronous = OFF');
    db.exec(sqlText);
    db.close();
  };
  change(readFileSync(join(ROOT, 'tests/fixtures/first-release.sql'), 'utf8'));
  const before = readFileSync(path);
  const { status, whole, unchecked, operators } = await verified({ DATA_DIR: folder }, path);
  expect({ status, whole }).toEqual({ status: 0, whole: true });
  expect(operators).toBeGreaterThan(0);
  expect(unchecked).toEqual([
    expect.stringMatching(/an earlier version.*boards were not recomputed/),
    NOT_IN_LOG,
  ]);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(folder)).toEqual(['old.sqlite']);

  change('UPDATE buckets SET input = input + 1');
  expect((await verified({ DATA_DIR: folder }, path)).findings[0]?.code).toBe('bucket');
});

test('accepts and reports submissions signed for an earlier address', async () => {
  const { database } = await theWholeBoard();
  const moved = await verified({ ...aBoardOf(database), BASE_URL: 'https://board.example' });
  expect(moved).toMatchObject({
    whole: true,
    notes: [expect.stringMatching(new RegExp(`${BASE_URL}: 12$`))],
  });
});

test('explains why a file or an option is not accepted', async () => {
  const { database } = await theWholeBoard();
  const folder = aDataDir();
  const file = (name: string, bytes: Buffer | string) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const run = async (...words: string[]) => {
    const { status, stdout, stderr } = await runAdmin(['verify', ...words], aBoardOf(database));
    return `${status} ${stdout}${stderr.replaceAll(folder + sep, 'F/')}`;
  };
  const text = 'Not a database at all. '.repeat(100);
  const cut = database.subarray(0, (database.length >> 13) * 4_096);
  expect(await run(join(folder, 'none'))).toMatch(/^1 .*F\/none does not exist/);
  expect(await run(folder)).toMatch(/^1 .*is a folder or a device, not a file/);
  expect(await run(file('text', text))).toMatch(/^2 .*F\/text is not.*database.*SQLite/);
  expect(await run(file('empty', ''))).toMatch(/^2 .*F\/empty is not a board's database/);
  expect(await run(file('cut', cut))).toMatch(/^2 .*F\/cut/);
  expect(await run('a', 'b')).toMatch(/^1 .*verify does not take "b"\. It takes one FILE at most/);
  expect(await run('--head', '12:ab')).toMatch(/^1 .*--head takes INDEX:HASH/);
  expect(await run('--log', join(folder, 'none'))).toMatch(/^1 .*does not exist/);
});

test.each(['log_entries', 'operators', 'daily_counts'])(
  'finds a damaged page of %s, and reports nothing else about that file',
  async (table) => {
    const { database } = await theWholeBoard();
    const board = aBoardOf(database);
    const path = join(board.DATA_DIR, 'opbench.sqlite');
    spoilTable(path, table);

    const { status, stdout, stderr } = await runAdmin(['verify', path], board);
    const data = await verified(board, '--head', `41:${'0'.repeat(64)}`);

    expect([status, stderr]).toEqual([3, '']);
    expect(stdout).toMatch(/opbench\.sqlite\n {2}unchecked .*\n1 problem found\.\n {2}database: /);
    expect(stdout).not.toMatch(/proof|operators {2}|no entries/);
    expect(data).toMatchObject({ status: 3, whole: false, log_index: null, operators: null });
    expect(new Set(data.findings.map(({ code }) => code))).toEqual(new Set(['database']));
  },
);
