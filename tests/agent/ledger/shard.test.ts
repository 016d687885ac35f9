/** The file of a month's responses. */
import { endianness } from 'node:os';
import { expect, test } from 'vitest';
import { type Row, nameOf } from '#agent/ledger/row.ts';
import { Shard, bytesOfShard, parseShard } from '#agent/ledger/shard.ts';

function aRow(key: string, over: Partial<Row> = {}): Row {
  const counts = { input: 1, output: 2 ** 53 - 1, cache_write: null, cache_read: 0 };
  const at = Date.UTC(2026, 2, 10);
  return { name: nameOf('t', key), at, provider: 'é', model: 'm', ...counts, run: 3, ...over };
}

const ROWS = [aRow('a'), aRow('b', { model: 'n', cache_write: 5 }), aRow('c', { run: 4 })];

function rowsOf(shard: Shard): Row[] {
  return shard.places().map((place) => shard.row(place));
}

function again(shard: Shard): Shard {
  const read = parseShard(Buffer.from(bytesOfShard({ rules: 2, shard })));
  expect(read?.rules).toBe(2);
  return read?.shard ?? Shard.of([]);
}

test('stores every name and count exactly', () => {
  expect(rowsOf(again(Shard.of(ROWS)))).toEqual(ROWS);
});

test.each([
  ['as many', [1], [aRow('d')]],
  ['more', [0, 2], [aRow('d'), aRow('e', { provider: 'q' }), aRow('f')]],
  ['fewer', [0, 1, 2], [aRow('d')]],
])('replaces responses by %s others', (_, places, rows) => {
  const left = ROWS.filter((_, place) => !places.includes(place));

  const shard = again(again(Shard.of(ROWS)).replace(places, rows));

  expect(rowsOf(shard)).toEqual(expect.arrayContaining([...left, ...rows]));
  expect(shard.size).toBe(left.length + rows.length);
});

test('finds responses by name and by time', () => {
  const at = Date.UTC(2026, 2, 11);
  const shard = Shard.of([...ROWS, aRow('later', { at })]);
  const told = [aRow('b', { at: 1 }), aRow('unknown', { at })];

  const near = shard.near(new Map(told.map((row) => [row.name, row])));

  expect(near.map((place) => shard.row(place).name)).toEqual([
    nameOf('t', 'b'),
    nameOf('t', 'later'),
  ]);
});

test('is rejected if it has another byte order', () => {
  const text = Buffer.from(bytesOfShard({ rules: 1, shard: Shard.of(ROWS) })).toString('latin1');
  const other = endianness() === 'LE' ? 'BE' : 'LE';

  const bytes = Buffer.from(text.replace(`"${endianness()}"`, `"${other}"`), 'latin1');

  expect(parseShard(bytes)).toBeNull();
});
