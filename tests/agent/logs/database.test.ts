import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import zlib from 'node:zlib';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { feedDatabase } from '#agent/logs/database.ts';
import {
  type FileReader,
  type LogTable,
  type Reader,
  unparsed,
} from '#core/readers/shared/reader.ts';
import { makeDatabase } from '#tests/support/logs/log-database.ts';
import { aFolder } from '#tests/support/logs/log-folder.ts';

/** A folder name with characters that a URL must quote, and that the system allows. */
const ODD = process.platform === 'win32' ? 'a b#c%41' : 'a b?c#d%41';

const TABLES: LogTable[] = [
  { name: 'message', id: 'id', data: 'data' },
  { name: 'session_message', id: 'id', data: 'data' },
];
const MESSAGES = 'CREATE TABLE message (id TEXT, data TEXT);';

interface Feeding {
  tables?: readonly LogTable[];
  sqlite?: null;
}

function linesOf(path: string, { tables = TABLES, sqlite }: Feeding = {}): string[] {
  const lines: string[] = [];
  const file = { line: (text: string) => void lines.push(text) } as FileReader;
  const reader = { needles: ['"n"'], tables } as unknown as Reader;
  feedDatabase(path, reader, file, sqlite);
  return lines;
}

function made(sql: string): string {
  return makeDatabase(join(aFolder(), 'o.db'), sql);
}

/** A database that a tool has open, with changes in its write-ahead log. */
function opened(sql: string) {
  const path = join(aFolder(), 'o.db');
  const tool = new DatabaseSync(path);
  onTestFinished(() => tool.close());
  tool.exec(`PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; ${sql}`);
  return { path, tool };
}

describe('feedDatabase()', () => {
  test('passes on the rows of all existing tables, each with its ID', () => {
    const rows = `INSERT INTO message VALUES ('a', '{"n":1}'), ('b', ' { "id": "c", "n": 2 }');
      INSERT INTO session_message VALUES (7, '{"n":3}');`;
    const sql = `${MESSAGES} CREATE TABLE session_message (id INTEGER, data TEXT); ${rows}`;

    expect(linesOf(made(sql)).map((line) => JSON.parse(line) as unknown)).toEqual([
      { id: 'a', n: 1 },
      { id: 'c', n: 2 },
      { id: 7, n: 3 },
    ]);
  });

  test('adds the members of other columns', () => {
    const rows = `INSERT INTO message VALUES ('a', 's"1', '{"n":1}'), ('b', NULL, '{"session":2,"n":2}');`;
    const sql = `CREATE TABLE message (id TEXT, session TEXT, data TEXT); ${rows}`;
    const tables = [{ name: 'message', id: 'id', data: 'data', members: ['session'] }];

    expect(linesOf(made(sql), { tables })).toEqual([
      '{"id":"a","session":"s\\"1","n":1}',
      '{"id":"b","session":2,"n":2}',
    ]);
  });

  test('unpacks compressed rows, which older versions of a tool do not have', () => {
    const packed = (text: string) => `x'${zlib.zstdCompressSync(text).toString('hex')}'`;
    const rows = `INSERT INTO message VALUES ('a', '{"n":1}', NULL), ('b', NULL, ${packed('{"n":2}')}),
      ('c', NULL, x'00'), ('d', NULL, ${packed(`{"n":"${'1'.repeat(9_000_000)}"}`)}), ('e', NULL, NULL),
      ('f', NULL, 'text'), ('g', NULL, zeroblob(9000000)), ('h', NULL, ${packed('{"m":3}')});`;
    const sql = `CREATE TABLE message (id TEXT, data TEXT, zstd BLOB); ${rows}`;
    const tables = [{ name: 'message', id: 'id', data: 'data', packed: 'Zstd' }];
    const older = `${MESSAGES} INSERT INTO message VALUES ('a', '{"n":1}');`;

    expect(linesOf(made(sql), { tables })).toEqual([
      '{"id":"a","n":1}',
      '{"id":"b","n":2}',
      'no text',
      '',
      'no text',
      '',
    ]);
    expect(linesOf(made(older), { tables })).toEqual(['{"id":"a","n":1}']);
  });

  test('passes on non-objects unchanged, and non-text as a damaged line', () => {
    const rows = `INSERT INTO message VALUES ('a', '["n"]'), (NULL, '{"n":1}'), ('c', 5), ('d', NULL),
      ('e', x'7b226e223a317d'), ('f', '{}'), ('g', '"n"');`;

    const [line, noId, blob = '', text] = linesOf(made(MESSAGES + rows));
    expect([line, noId, text]).toEqual(['["n"]', '{"n":1}', '"n"']);
    expect(() => JSON.parse(blob) as unknown).toThrow(SyntaxError);
    expect(unparsed(blob)).toBe('not_json');
  });

  test('does not load values that are too long, and reports them', () => {
    const long = `'{"n":"' || hex(zeroblob(5000000)) || '"}'`;
    const id = 'hex(zeroblob(1000))';
    const rows = `INSERT INTO message VALUES ('a', ${long}), (${id}, '{"n":1}'), ('c', zeroblob(9000000));`;

    const lines = linesOf(made(MESSAGES + rows));

    expect(lines).toEqual(['', '{"n":1}', '']);
    expect(unparsed(lines[0] ?? 'x')).toBe('too_long');
  });

  test.each(['VIRTUAL', 'STORED'])('does not compute columns: %s', (kind) => {
    const bomb = 'hex(zeroblob(100))';
    const table = `CREATE TABLE message (id TEXT, Data TEXT GENERATED ALWAYS AS (${bomb}) ${kind});`;

    expect(() => linesOf(made(`${table} INSERT INTO message VALUES ('a');`))).toThrow(
      'Its column Data is computed',
    );
  });

  test('reads committed changes of a running tool only', () => {
    const { path, tool } = opened(`${MESSAGES} INSERT INTO message VALUES ('a', '{"n":1}');`);
    tool.exec(`BEGIN IMMEDIATE; INSERT INTO message VALUES ('b', '{"n":2}')`);

    expect(linesOf(path)).toHaveLength(1);

    tool.exec('COMMIT');

    expect(linesOf(path)).toHaveLength(2);
  });

  test('creates no files next to a database', () => {
    const path = made(`${MESSAGES} INSERT INTO message VALUES ('a', '{"n":1}');`);
    const before = readFileSync(path);

    expect(linesOf(path)).toHaveLength(1);
    expect(readdirSync(join(path, '..'))).toEqual(['o.db']);
    expect(readFileSync(path)).toEqual(before);
  });

  test('reads a database whose path needs quoting', () => {
    const path = makeDatabase(join(aFolder(), ODD, 'o.db'), MESSAGES);

    expect(linesOf(path)).toEqual([]);
  });

  test('reads the write-ahead log of a tool that crashed', () => {
    const { path } = opened(`${MESSAGES} INSERT INTO message VALUES ('a', '{"n":1}');`);
    const left = join(aFolder(), 'o.db');
    for (const end of ['', '-wal']) copyFileSync(path + end, left + end);

    expect(linesOf(left)).toHaveLength(1);
  });

  test('reports a database without any of the tables', () => {
    expect(() => linesOf(made('CREATE TABLE other (id TEXT)'))).toThrow(
      'It has no table message or session_message',
    );
  });

  test('reports a table with other columns', () => {
    expect(() => linesOf(made('CREATE TABLE message (id TEXT)'))).toThrow('no such column: data');
  });

  test('reports a file that is not a database, a damaged one and a missing one', () => {
    const folder = aFolder({ 'text.db': 'not a database at all '.repeat(100), 'empty.db': '' });
    const rows = Array.from({ length: 500 }, (_, n) => `('${n}', '{"n":"${'x'.repeat(200)}"}')`);
    const damaged = made(`${MESSAGES} INSERT INTO message VALUES ${rows.join(',')};`);
    const bytes = readFileSync(damaged);
    writeFileSync(damaged, bytes.fill(0x5a, 8192));

    expect(() => linesOf(join(folder, 'text.db'))).toThrow('file is not a database');
    expect(() => linesOf(join(folder, 'empty.db'))).toThrow('It has no table');
    expect(() => linesOf(damaged)).toThrow('malformed');
    expect(() => linesOf(join(folder, 'none.db'))).toThrow('ENOENT');
  });

  test('reports a locked database', () => {
    const path = join(aFolder(), 'o.db');
    const tool = new DatabaseSync(path);
    onTestFinished(() => tool.close());
    tool.exec(`${MESSAGES} BEGIN EXCLUSIVE`);

    expect(() => linesOf(path)).toThrow('database is locked');
  });

  test('reports which version of Node.js is needed', () => {
    expect(() => linesOf(made(MESSAGES), { sqlite: null })).toThrow(
      'Reading a database needs Node.js 22.13 or later',
    );
  });
});

describe('feedDatabase() of a table with columns', () => {
  const USAGE: LogTable = { name: 'usage', columns: ['id', 'input'], optional: ['output', 'raw'] };

  test('passes on each row as an object, without columns that the table lacks', () => {
    const sql = `CREATE TABLE usage (ID INTEGER, input INTEGER, output REAL, secret TEXT);
      INSERT INTO usage VALUES (1, 10, 2.5, 'x'), (2, NULL, 0, 'x');`;

    expect(linesOf(made(sql), { tables: [USAGE] })).toEqual([
      '{"table":"usage","id":1,"input":10,"output":2.5}',
      '{"table":"usage","id":2,"input":null,"output":0}',
    ]);
  });

  test('passes on bytes as hexadecimal digits, and numbers that are not exact as text', () => {
    const sql = `CREATE TABLE usage (id, input, raw);
      INSERT INTO usage VALUES (-9223372036854775808, 9e999, x'00fF'), ('a"', 9007199254740993, '');`;

    expect(
      linesOf(made(sql), { tables: [USAGE] }).map((line) => JSON.parse(line) as unknown),
    ).toEqual([
      { table: 'usage', id: '-9223372036854775808', input: 'Inf', raw: '00ff' },
      { table: 'usage', id: 'a"', input: '9007199254740993', raw: '' },
    ]);
  });

  test('reports rows that are too long', () => {
    const sql = `CREATE TABLE usage (id, input, raw);
      INSERT INTO usage VALUES (1, 2, zeroblob(9000000)), (3, 4, NULL);`;

    expect(linesOf(made(sql), { tables: [USAGE] })).toEqual([
      '',
      '{"table":"usage","id":3,"input":4,"raw":null}',
    ]);
  });

  test('reports a missing column and a computed one', () => {
    const computed = 'CREATE TABLE usage (id, input AS (id + 1))';

    expect(() => linesOf(made('CREATE TABLE usage (id)'), { tables: [USAGE] })).toThrow(
      'Its table usage has no such column: input',
    );
    expect(() => linesOf(made(computed), { tables: [USAGE] })).toThrow(
      'Its column input is computed',
    );
  });
});
