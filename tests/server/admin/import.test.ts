import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lockData } from '#db/engine/data-lock.ts';
import { BoardLoad } from '#db/engine/dump-load.ts';
import { importDraft } from '#server/backups/backups.ts';
import { databasePath } from '#server/config/config.ts';
import { exportAccount } from '#server/operator/account-export.ts';
import { ROOT, aDataDir, anOperator, testContext } from '#tests/support/board/context.ts';
import { runKeeper } from '#tests/support/board/admin.ts';
import { aBoardOf, theWholeBoard, verified } from '#tests/support/board/whole-board.ts';

type Settings = Readonly<Record<string, string>>;

/** Writes a board's whole file, and returns its path and its lines. */
async function exported(settings: Settings, name = 'board.ndjson') {
  const path = join(aDataDir(), name);
  const { status, stderr } = await runKeeper(['export', '--whole', path], settings);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const bytes = readFileSync(path);
  const text = String(name.endsWith('.gz') ? gunzipSync(bytes) : bytes);
  return { path, lines: text.trimEnd().split('\n') };
}

/** What `import` of a file says in an empty data folder, and what it leaves there. */
async function imported(file: string, dataDir = aDataDir()) {
  const settings = { DATA_DIR: dataDir, BASE_URL: 'http://127.0.0.1:4321' };
  const { status, stdout, stderr } = await runKeeper(['import', file], settings);
  const left = readdirSync(dataDir).filter((name) => !name.startsWith('server.lock'));
  return { status, said: stdout + stderr, left, settings };
}

/** The same rows, in a file whose end sums them up. */
function summedUp(lines: readonly string[]): string {
  const rest = lines.slice(0, -1);
  const { end } = JSON.parse(lines.at(-1) ?? '') as { end: object };
  const text = rest.map((line) => `${line}\n`).join('');
  const rows = rest.filter((line) => line.startsWith('[')).length;
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${text}${JSON.stringify({ end: { ...end, rows, sha256 } })}\n`;
}

/** All but when it was written, and by which program. */
const withoutHeader = (lines: readonly string[]) => lines.slice(1, -1);

test('a whole board moves through a file, packed or not, and nothing of it changes', async () => {
  const { database } = await theWholeBoard();
  // Beyond what a number of JSON holds exactly, and what is no text at all.
  const settings = aBoardOf(database, (db) =>
    db.exec(`INSERT INTO contact_messages VALUES ('m', 1, 'Ünï', char(0) || '"\\' || char(10), '2026', NULL);
    UPDATE device_token_ids SET expires_at = 9007199254740993;
    INSERT INTO device_token_ids VALUES ('j', 'k', -9223372036854775808);
    UPDATE sqlite_sequence SET seq = seq + 1000 WHERE name = 'operators'`),
  );
  const { path, lines } = await exported(settings);
  const packed = await exported(settings, 'board.ndjson.gz');
  expect(withoutHeader(packed.lines)).toEqual(withoutHeader(lines));
  expect(statSync(path).mode & 0o777).toBe(0o600);

  const one = await imported(path);
  const two = await imported(packed.path);
  expect([one.status, two.status]).toEqual([0, 0]);
  expect(one.said).toContain('6 operators, 41 log entries');
  expect(one.said).toContain('Who deleted an account or was hidden since then is there again');
  expect(one.left).toEqual(['opbench.sqlite']);
  expect(statSync(databasePath({ dataDir: one.settings.DATA_DIR })).mode & 0o777).toBe(0o600);
  expect(withoutHeader((await exported(one.settings)).lines)).toEqual(withoutHeader(lines));
  expect(await verified(one.settings)).toMatchObject({ status: 0, whole: true, log_index: 41 });

  const again = await imported(path, one.settings.DATA_DIR);
  expect(again.status).toBe(3);
  expect(again.said).toMatch(/is there: import makes a board where none is, and merges nothing/);
  expect(again.said).toMatch(/restore FILE --force/);
});

test('a board of the first version moves, and is upgraded on its way', async () => {
  const folder = aDataDir();
  const db = new Database(databasePath({ dataDir: folder }));
  db.exec(readFileSync(join(ROOT, 'tests/fixtures/first-release.sql'), 'utf8'));
  db.close();
  const { path } = await exported({ DATA_DIR: folder });
  const { status, settings } = await imported(path);
  expect(status).toBe(0);
  expect(await verified(settings)).toMatchObject({ status: 0, findings: [] });
});

test('another address than before is told, with what to do', async () => {
  const { database } = await theWholeBoard();
  const { path } = await exported({ ...aBoardOf(database), BASE_URL: 'https://old.example' });
  const { status, said } = await imported(path);
  expect(status).toBe(0);
  expect(said).toContain(
    'The board was at https://old.example, and BASE_URL is http://127.0.0.1:4321',
  );
});

type Files = Readonly<Record<string, [bytes: Buffer | string, status: number, says: RegExp]>>;

/** Expects that each file is refused in words, and leaves nothing. */
async function expectRefused(files: Files): Promise<void> {
  for (const [name, [bytes, status, says]] of Object.entries(files)) {
    const file = join(aDataDir(), 'file');
    writeFileSync(file, bytes);
    const made = await imported(file);
    expect(made, name).toMatchObject({ status, left: [] });
    expect(made.said, name).toMatch(says);
    expect(made.said, name).not.toContain('fault of opbench-board');
  }
}

/** Ways to another file than a whole board's. */
async function aFileToChange() {
  const { database, log } = await theWholeBoard();
  const { lines, path } = await exported(aBoardOf(database), 'board.ndjson.gz');
  const table = (name: string) => lines.findIndex((line) => line.startsWith(`{"table":"${name}"`));
  const edited = (index: number, line: string) => summedUp(lines.with(index, line));
  const header = JSON.parse(lines[0] ?? '') as { migrations: string[] };
  const rename = (change: object) => edited(0, JSON.stringify({ ...header, ...change }));
  const text = lines.map((line) => `${line}\n`).join('');
  return { database, log, lines, packed: readFileSync(path), text, table, edited, header, rename };
}

test('a file that is damaged makes no board', async () => {
  const { lines, packed, text, table, edited, rename } = await aFileToChange();
  const flipped = Buffer.from(packed);
  flipped[packed.length >> 1] = (packed[packed.length >> 1] ?? 0) ^ 0x10;
  const entry = table('log_entries') + 3;
  const files: Files = {
    empty: ['', 2, /ends after line 0 and before its end/],
    'cut off': [text.slice(0, text.length >> 1), 2, /and before its end\. Copy it again/],
    'cut off before its end': [text.slice(0, text.lastIndexOf('{"end"')), 2, /before its end/],
    'packed and cut off': [packed.subarray(0, packed.length - 50), 2, /cannot be unpacked/],
    'packed with a changed byte': [flipped, 2, /The file is damaged/],
    'with a changed letter': [text.replace('"ada"', '"adb"'), 2, /not what was written/],
    'with a changed letter in JSON': [text.replace('\n["', '\n[""'), 2, /line \d+ cannot be read/],
    'two boards in one': [text + text, 2, /stands behind its end; it may be two files in one/],
    'a table of nobody': [
      edited(table('secrets'), '{"table":"sqlite_master","columns":["a"]}'),
      2,
      /names a table that a board of its version does not have/,
    ],
    'a column of nobody': [
      edited(table('secrets'), '{"table":"secrets","columns":["name","value"]}'),
      2,
      /gives secrets other columns/,
    ],
    'a table twice': [
      edited(table('sessions'), lines[table('secrets')] ?? ''),
      2,
      /begins the table secrets again/,
    ],
    'a row too short': [edited(entry, '[1]'), 2, /a row has 1 values and not 9 \(line/],
    'a row of no kind': [
      edited(entry, (lines[entry] ?? '').replace('"blob"', '"bolb"')),
      2,
      /of no kind/,
    ],
    'a row of a kind that every object has': [
      edited(entry, (lines[entry] ?? '').replace(/\{"blob":/, '{"toString":')),
      2,
      /of no kind/,
    ],
    'a row of a kind that makes objects': [
      edited(entry, (lines[entry] ?? '').replace(/\{"blob":/, '{"constructor":')),
      2,
      /of no kind/,
    ],
    'an integer of more than 64 bits': [
      edited(entry, (lines[entry] ?? '').replace(/^\[\d+/, '[{"integer":"9999999999999999999"}')),
      2,
      /of no kind/,
    ],
    'fewer migrations than its first line names': [
      summedUp(lines.filter((_, index) => index !== table('migrations') + 1)),
      2,
      /its rows of migrations are others/,
    ],
    'a row that no board has': [
      edited(entry, (lines[entry] ?? '').replace(/\{"blob":"[^"]*"\}/, '{"blob":""}')),
      2,
      /holds a row that log_entries cannot have/,
    ],
    'rows that refer to nothing': [
      summedUp(lines.filter((_, index) => index !== table('operators') + 1)),
      2,
      /refer to rows that are not there/,
    ],
    'a log that does not hold': [
      edited(entry, (lines[entry] ?? '').replace(/"[0-9a-f]{64}"/, `"${'0'.repeat(64)}"`)),
      2,
      /The board in the file is not whole/,
    ],
    'another end of the log': [rename({ log_index: 40 }), 2, /its log ends otherwise than it says/],
  };
  await expectRefused(files);
});

test('another file than a whole board makes none', async () => {
  const { database, log, header, rename } = await aFileToChange();
  const ctx = testContext();
  anOperator(ctx, 'ada');
  const files: Files = {
    'of a newer version': [
      rename({ program: '99.0.0', migrations: [...header.migrations, '9999-later.sql'] }),
      1,
      /A newer version of Opbench \(99\.0\.0\) wrote the file/,
    ],
    'of a newer form': [rename({ type: 'opbench-board/2' }), 1, /A newer version of Opbench/],
    'of no version': [rename({ migrations: ['0002-daily-standings.sql'] }), 2, /of no version/],
    'the public log': [log.join(''), 1, /is a public log, which holds no accounts.*--whole/],
    'the public log, packed': [gzipSync(log.join('')), 1, /is a public log/],
    'one account': [
      `${[...exportAccount(ctx, 1)].join('')}\n`,
      1,
      /holds one account, and people never move alone/,
    ],
    'a database': [database, 1, /is a database.*opbench-board restore/],
    'a text': ['Once upon a time\n', 1, /holds no whole board/],
    'no text': [Buffer.from([0xff, 0xfe, 0x0a, 0x00]), 2, /a line of it is no text/],
  };
  await expectRefused(files);
});

test('a folder that a server has, or where something of a board is left, gets none', async () => {
  const { path } = await exported(aBoardOf((await theWholeBoard()).database));
  const served = aDataDir();
  const lock = lockData(served);
  expect(await imported(path, served)).toMatchObject({ status: 3, left: [] });
  lock?.release();
  const rest = aDataDir();
  writeFileSync(`${databasePath({ dataDir: rest })}-wal`, 'what a crash left');
  const refused = await imported(path, rest);
  expect(refused).toMatchObject({ status: 3, left: ['opbench.sqlite-wal'] });
  // An import that was killed has left a draft, which is in nobody's way.
  const killed = aDataDir();
  writeFileSync(`${databasePath({ dataDir: killed })}.import`, 'a half of a board');
  expect(await imported(path, killed)).toMatchObject({ status: 0, left: ['opbench.sqlite'] });
});

test('export --whole replaces nothing unasked, prints no secrets, and names what it cannot do', async () => {
  const settings = aBoardOf((await theWholeBoard()).database);
  const { path } = await exported(settings);
  const run = async (...words: string[]) => {
    const { status, stdout, stderr } = await runKeeper(['export', '--whole', ...words], settings);
    return `${status} ${stdout}${stderr}`;
  };
  const before = readFileSync(path);
  expect(await run(path)).toMatch(/^3 .*is there already: name another file, or add --force/);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(await run(path, '--force')).toMatch(/^0 .*holds the whole board: 6 operators/);
  expect(await run('-')).toMatch(/^1 .*writes secrets, so it takes a FILE and no stdout/);
  expect(await run()).toMatch(/^1 .*takes one FILE/);
  expect(await run(join(path, 'x'))).toMatch(/^1 /);
  expect(await run(databasePath({ dataDir: settings.DATA_DIR }), '--force')).toMatch(
    /^1 .*is the board's own database/,
  );
  expect(existsSync(databasePath({ dataDir: settings.DATA_DIR }))).toBe(true);
});

test('an import that is stopped leaves nothing', async () => {
  const { path } = await exported(aBoardOf((await theWholeBoard()).database));
  const dataDir = aDataDir();
  const draft = importDraft({ dataDir });
  const ended = vi.spyOn(process, 'kill').mockReturnValue(true);
  const there: boolean[] = [];
  const load = vi.spyOn(BoardLoad.prototype, 'finish').mockImplementation(() => {
    there.push(existsSync(draft));
    process.listeners('SIGTERM').at(-1)?.('SIGTERM');
    there.push(existsSync(draft));
    throw new Error('It goes on only in this test');
  });
  onTestFinished(() => [ended, load].forEach((spy) => spy.mockRestore()));

  await imported(path, dataDir);

  expect(there).toEqual([true, false]);
  expect(ended).toHaveBeenCalledWith(process.pid, 'SIGTERM');
});
