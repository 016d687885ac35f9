import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { sheetOf } from '#core/contract/csv.ts';
import { getLeaderboard } from '#core/contract/leaderboard.ts';
import type { Route } from '#core/contract/route.ts';
import { ROUTES } from '#core/contract/routes.ts';

const Row = z.strictObject({
  name: z.string(),
  rank: z.int().nullable(),
  totals: z.strictObject({ input: z.int(), cache: z.strictObject({ read: z.int() }).nullish() }),
  tools: z.array(z.string()).nullable(),
  parts: z.array(z.strictObject({ a: z.int() })).optional(),
  states: z.record(z.string(), z.int()).optional(),
  known: z.boolean().optional(),
});

const columnNames = (row: z.ZodObject) => sheetOf({ row, rows: () => [] }, null).columns;

const cellsOf = (row: object) =>
  Object.fromEntries(
    sheetOf({ row: Row, rows: () => [row] }, null).rows[0]?.map((cell, at) => [
      columnNames(Row)[at],
      cell,
    ]) ?? [],
  );

describe('the columns of sheetOf()', () => {
  test('separates nested members with dots and keeps lists in one column', () => {
    expect(columnNames(Row)).toEqual([
      'name',
      'rank',
      'totals.input',
      'totals.cache.read',
      'tools',
      'parts',
      'states',
      'known',
    ]);
  });

  const tables = ROUTES.flatMap(({ id, table }) => (table ? [[id, table.row] as const] : []));

  test.each(tables)('gives every column of %s a unique name', (_, row) => {
    const names = columnNames(row);

    expect(names.length).toBeGreaterThan(4);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('sheetOf()', () => {
  test('adds unranked operators as rows without a rank if requested', () => {
    const reply = {
      entries: [{ rank: 1, codename: 'ada' }],
      unranked: [{ codename: 'bob', reasons: [] }],
    };
    const table = getLeaderboard.table as unknown as NonNullable<Route['table']>;

    const { columns, rows } = sheetOf(table, reply);
    const ranks = rows.map((row) => ['rank', 'codename'].map((name) => row[columns.indexOf(name)]));

    expect(ranks).toEqual([
      [1, 'ada'],
      [null, 'bob'],
    ]);
  });

  test('puts every value under its column', () => {
    expect(
      cellsOf({
        name: 'ada',
        rank: 1,
        totals: { input: 2, cache: { read: 0 } },
        tools: ['codex', 'claude-code'],
        parts: [{ a: 1 }, { a: 2 }],
        states: { held: 1 },
        known: false,
      }),
    ).toEqual({
      name: 'ada',
      rank: 1,
      'totals.input': 2,
      'totals.cache.read': 0,
      tools: 'codex;claude-code',
      parts: '[{"a":1},{"a":2}]',
      states: '{"held":1}',
      known: false,
    });
  });

  test('writes a list of texts that contain the separator as JSON', () => {
    expect(cellsOf({ tools: ['a;b', 'c'] })).toMatchObject({ tools: '["a;b","c"]' });
  });

  test('leaves cells empty for null and absent values and everything inside them', () => {
    expect(cellsOf({ name: '', rank: null, totals: { input: 0, cache: null }, tools: [] })).toEqual(
      {
        name: '',
        rank: null,
        'totals.input': 0,
        'totals.cache.read': null,
        tools: '',
        parts: null,
        states: null,
        known: null,
      },
    );
  });
});

describe('a row of the leaderboard', () => {
  const table = getLeaderboard.table as unknown as NonNullable<Route['table']>;
  const sheet = (entries: object[], unranked: object[] = []) => {
    const { columns, rows } = sheetOf(table, { entries, unranked });
    return {
      columns,
      cells: rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]]))),
    };
  };

  test('has columns for the bounds of interval and rank range after all others', () => {
    const { columns, cells } = sheet([{ interval: [1.5, null], rank_range: [2, 5] }]);

    expect(columns.slice(-5)).toEqual([
      'reasons',
      'rank_best',
      'rank_worst',
      'interval_low',
      'interval_high',
    ]);
    expect(columns.indexOf('active_days')).toBe(columns.length - 6);
    expect(cells[0]).toMatchObject({
      interval: '1.5;',
      rank_range: '2;5',
      interval_low: 1.5,
      interval_high: null,
      rank_best: 2,
      rank_worst: 5,
      reasons: null,
    });
  });

  test('has the reasons for a missing rank', () => {
    const reasons = [{ code: 'active_days_low' }, { code: 'total_low' }];
    const { cells } = sheet([], [{ codename: 'bob', interval: null, reasons }]);

    expect(cells[0]).toMatchObject({
      reasons: 'active_days_low;total_low',
      interval_low: null,
      rank_best: null,
    });
  });
});
