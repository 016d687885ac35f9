import type Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { bucketsIn } from '#db/buckets.ts';
import { MAX_BLOCK_ROWS, usageBlocksIn } from '#db/usage-blocks.ts';
import { usageIn } from '#db/usage.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import { MAX_SOURCES } from '#core/schema/usage.ts';
import { NOW, aCountedBucket } from '#tests/support/board/builders.ts';
import { aPopulatedDatabase } from '#tests/support/board/database.ts';
import { unmoveCounts } from '#tests/support/board/unmoved-counts.ts';

const DAY = dayNumber('2026-03-01');
const counted = aCountedBucket;
const tokens = { input: 1_100, output: 10_000, cache_write: 100_000, cache_read: 1_000_000 };

function withOperators(db: Database.Database, ...ids: number[]) {
  for (const id of ids) {
    db.exec(`INSERT INTO operators (id, public_id, codename, created_at)
      VALUES (${id}, 'p${id}', 'operator-${id}', '${NOW}')`);
    bucketsIn(db).replaceGroups(id, [], [counted({ input: id })]);
  }
}

test('of() returns what counts by day, with one object for each source', () => {
  const db = aPopulatedDatabase();
  bucketsIn(db).replaceGroups(
    1,
    [],
    [
      counted({ day: '2026-03-02' }),
      counted({ day: '2026-03-01', cache_write: null }),
      counted({ day: '2026-03-01', device_id: 3, trust: 'self_reported' }),
      counted({ day: '2026-03-01', tool: 'codex', counts: 0 }),
    ],
  );

  const usage = usageIn(db).of(1);

  const source = { tool: 'claude-code', provider: 'anthropic', model: 'claude-opus-5' };
  expect(usage).toEqual([
    { day: DAY, source: { ...source, trust: 'signed' }, ...tokens, cache_write: null },
    { day: DAY, source: { ...source, trust: 'self_reported' }, ...tokens },
    { day: DAY + 1, source: { ...source, trust: 'signed' }, ...tokens },
  ]);
  expect(usage[2]?.source).toBe(usage[0]?.source);
  expect(usageIn(db).of(9)).toEqual([]);
});

test('signed() returns what counts in some days and was not self-reported, by day', () => {
  const db = aPopulatedDatabase();
  bucketsIn(db).replaceGroups(
    1,
    [],
    [
      counted({ day: '2026-03-01' }),
      counted({ day: '2026-03-03', device_id: 2 }),
      counted({ day: '2026-03-02', cache_write: null }),
      counted({ day: '2026-03-03', device_id: 3, trust: 'self_reported', tool: 'by-hand' }),
      counted({ day: '2026-03-03', counts: 0, tool: 'uncounted' }),
    ],
  );

  const usage = usageIn(db).signed({ operator_id: 1, from: '2026-03-02', to: '9999-12-31' });

  const names = { tool: 'claude-code', provider: 'anthropic', model: 'claude-opus-5' };
  const source = { ...names, trust: 'signed' };
  expect(usage).toEqual([
    { day: DAY + 1, source, ...tokens, cache_write: null },
    { day: DAY + 2, source, ...tokens },
  ]);
  expect(usage[1]?.source).toBe(usage[0]?.source);
});

test('ofRange() returns the operators of a range by ID, packed or not', () => {
  const db = aPopulatedDatabase();
  withOperators(db, 2, 130, 3, 300, 301);
  unmoveCounts(db, 'c.operator_id IN (3, 300)');

  const found = [...usageIn(db).ofRange({ first: 2, last: 300 })];

  expect(found.map(({ operator_id, usage }) => [operator_id, usage[0]?.input])).toEqual([
    [2, 2],
    [3, 3],
    [130, 130],
    [300, 300],
  ]);
});

test('a month with too many daily counts is not packed, but read from its rows', () => {
  const db = aPopulatedDatabase();
  const names = Array.from({ length: MAX_SOURCES.pairs }, (_, at) => `m${at}`);
  const rows = Array.from({ length: 11 }, (_, day) => `2026-03-${String(day + 1).padStart(2, '0')}`)
    .flatMap((day) => names.map((model) => counted({ day, model })))
    .slice(0, MAX_BLOCK_ROWS + 1);
  const [last] = rows.slice(-1);
  if (!last) throw new Error('There are 2,001');
  const bodies = () => db.prepare('SELECT body IS NULL FROM usage_blocks').pluck().all();
  const buckets = bucketsIn(db);

  buckets.replaceGroups(1, [], rows);
  expect([bodies(), usageIn(db).of(1).length]).toEqual([[1], MAX_BLOCK_ROWS + 1]);

  buckets.replaceGroups(1, [last], []);
  expect([bodies(), usageIn(db).of(1).length]).toEqual([[0], MAX_BLOCK_ROWS]);
});

test('a source without daily counts loses its number, and its month its block', () => {
  const db = aPopulatedDatabase();
  const buckets = bucketsIn(db);
  const old = counted({ day: '2026-02-01', model: 'old' });
  buckets.replaceGroups(1, [], [old, counted()]);

  buckets.replaceGroups(1, [old], [counted({ model: 'next', day: '2026-03-02' })]);

  const models = db.prepare('SELECT model FROM sources ORDER BY source').pluck().all();
  expect(models).toEqual(['claude-opus-5', 'next']);
  expect(db.prepare('SELECT month FROM usage_blocks').pluck().all()).toEqual([12 * 2026 + 2]);
});

test('refreshAll() packs an account again from its rows', () => {
  const db = aPopulatedDatabase();
  bucketsIn(db).replaceGroups(1, [], [counted(), counted({ day: '2026-02-01' })]);
  const before = db.prepare('SELECT * FROM usage_blocks').all();
  db.exec('DELETE FROM usage_blocks');

  usageBlocksIn(db).refreshAll(1);

  expect(db.prepare('SELECT * FROM usage_blocks').all()).toEqual(before);
});
