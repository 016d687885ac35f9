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
  test('dots nested members and leaves lists whole', () => {
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

  test.each(tables)('gives every column of %s a name of its own', (_, row) => {
    const names = columnNames(row);

    expect(names.length).toBeGreaterThan(4);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('sheetOf()', () => {
  test('shows who is not ranked as rows without a rank, where they were asked for', () => {
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

  test('keeps apart texts that hold the mark between them', () => {
    expect(cellsOf({ tools: ['a;b', 'c'] })).toMatchObject({ tools: '["a;b","c"]' });
  });

  test('leaves empty what is null or absent, and what is inside of it', () => {
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

  test('has the ends of its interval and of its range of ranks behind all other columns', () => {
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

  test('says why it is without a rank', () => {
    const reasons = [{ code: 'active_days_low' }, { code: 'total_low' }];
    const { cells } = sheet([], [{ codename: 'bob', interval: null, reasons }]);

    expect(cells[0]).toMatchObject({
      reasons: 'active_days_low;total_low',
      interval_low: null,
      rank_best: null,
    });
  });
});
