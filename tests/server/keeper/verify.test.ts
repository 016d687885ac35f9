import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { CHANGES, sql, swapSignatures } from '../../support/board-changes.ts';
import { BASE_URL } from '../../support/builders.ts';
import { ROOT, aDataDir } from '../../support/context.ts';
import { runKeeper } from '../../support/keeper.ts';
import { aBoardOf, theWholeBoard, verified } from '../../support/whole-board.ts';

test('a board is whole where everything has happened that the log tells of', async () => {
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
    unchecked: [],
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

test('entries that are missing at the end are found by a head or a copy that somebody kept', async () => {
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
    '2 entries are missing that the head knows: 40 to 41',
    '2 entries are missing that the copy knows: 40 to 41',
  ]);
});

test('a head or a copy of another history is told from entries that are missing', async () => {
  const { database, log } = await theWholeBoard();
  const copy = join(aDataDir(), 'log.ndjson');
  writeFileSync(copy, log.join(''));
  const other = aBoardOf(database, swapSignatures);
  const { findings } = await verified(other, '--head', `41:${'0'.repeat(64)}`, '--log', copy);
  const told = findings.filter(({ code }) => code === 'copy_differs');
  expect(told.map(({ message }) => message)).toEqual([
    expect.stringContaining('entry 41 has another hash than the head says'),
    expect.stringContaining('entries, from 5 on, have another hash than the copy says'),
  ]);
});

test('a copy that is damaged proves nothing', async () => {
  const { database, log } = await theWholeBoard();
  const board = aBoardOf(database);
  const [first = '', ...rest] = log;
  const copy = join(aDataDir(), 'log.ndjson');
  const verify = async (text: string) => {
    writeFileSync(copy, text);
    return (await verified(board, '--log', copy)).findings.map(({ message }) => message);
  };
  expect(await verify([first.replace('opbench', 'apbench'), ...rest].join(''))).toEqual([
    'line 1 of the copy was changed or is no line of a public log',
  ]);
  expect(await verify([first, ...rest.slice(0, -1)].join(''))).toEqual([
    'the copy ends before its end: it was cut off',
  ]);
});

test('a backup of an earlier version is verified as far as it goes, and is not changed', async () => {
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
  expect(unchecked).toEqual(['An earlier version wrote it: its boards were not recomputed']);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(folder)).toEqual(['old.sqlite']);

  change('UPDATE buckets SET input = input + 1');
  expect((await verified({ DATA_DIR: folder }, path)).findings[0]?.code).toBe('bucket');
});

test('submissions that were signed for an earlier address are as good, and told', async () => {
  const { database } = await theWholeBoard();
  const moved = await verified({ ...aBoardOf(database), BASE_URL: 'https://board.example' });
  expect(moved).toMatchObject({
    whole: true,
    notes: [`12 submissions were signed for another address: ${BASE_URL}`],
  });
});

test('what is no board, or cannot be asked so, is refused in words', async () => {
  const { database } = await theWholeBoard();
  const folder = aDataDir();
  const file = (name: string, bytes: Buffer | string) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const run = async (...words: string[]) => {
    const { status, stdout, stderr } = await runKeeper(['verify', ...words], aBoardOf(database));
    return `${status} ${stdout}${stderr.replaceAll(folder, 'F')}`;
  };
  const text = 'This is no database. '.repeat(100);
  const cut = database.subarray(0, (database.length >> 13) * 4_096);
  expect(await run(join(folder, 'none'))).toBe('1 opbench-board: There is no file F/none\n');
  expect(await run(folder)).toMatch(/^1 .*is a folder or a device, no file/);
  expect(await run(file('text', text))).toMatch(/^2 .*F\/text is no database.*no SQLite file/);
  expect(await run(file('empty', ''))).toMatch(/^2 .*F\/empty is no database of a board/);
  expect(await run(file('cut', cut))).toMatch(/^2 .*F\/cut/);
  expect(await run('a', 'b')).toMatch(/^1 .*verify takes one FILE at most/);
  expect(await run('--head', '12:ab')).toMatch(/^1 .*--head takes INDEX:HASH/);
  expect(await run('--log', join(folder, 'none'))).toMatch(/^1 .*There is no file/);
});

test('a page that a disk has spoilt is found', async () => {
  const { database } = await theWholeBoard();
  const spoilt = Buffer.from(database);
  // The last page: not the first, which every question needs.
  spoilt.fill(0xff, spoilt.length - 4_096);
  const board = aBoardOf(database);
  writeFileSync(join(board.DATA_DIR, 'opbench.sqlite'), spoilt);
  const { status, stdout, stderr } = await runKeeper(['verify'], board);
  expect([2, 3]).toContain(status);
  expect(stdout + stderr).toMatch(/database: |damaged/);
  expect(stderr).not.toContain('fault of opbench-board');
});
