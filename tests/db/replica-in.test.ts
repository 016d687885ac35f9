import { expect, test } from 'vitest';
import { openReplica } from '#db/replica-in.ts';
import { NAMES } from '#db/replica-tables.ts';
import type { CopiedTable } from '#db/replica-tables.ts';
import { MIGRATIONS } from '#tests/support/board/context.ts';
import { whenOver } from '#tests/support/board/cleanup.ts';

function aReplica() {
  const replica = openReplica({ migrations: MIGRATIONS, now: () => new Date() });
  whenOver(() => replica.close());
  return replica;
}

/** Operators by ID and codename, as they are copied. */
function named(...rows: [id: number, codename: string][]): CopiedTable {
  const columns = Object.keys(NAMES.operators);
  const valueOf = (column: string, [id, codename]: [number, string]) => {
    const own: Record<string, number | string | null> = {
      id,
      codename,
      public_name: codename,
      public_id: String(id),
      privacy_mode: 'pseudonymous',
      is_open: 1,
      created_at: '',
      log_index: 1,
      links: '[]',
      changes_known_from: 0,
    };
    return own[column] ?? null;
  };
  const values = columns.map((column) => rows.map((row) => valueOf(column, row)));
  return { table: 'operators', columns, values };
}

test('only operators who changed are written', () => {
  const { transaction, renewNames, openBetween } = aReplica();
  const at = (time: string) => [1, 2, 3].map((id): [number, string] => [id, time]);
  const read = () => openBetween('a', 'z', 1);

  transaction(() => renewNames(0, named([1, 'ann'], [2, 'bob']), at('first')));
  transaction(() => renewNames(0, named([1, 'ann'], [2, 'bea'], [3, 'cat']), at('second')));

  expect(read()).toEqual([
    ['ann', 'first'],
    ['bea', 'second'],
    ['cat', 'second'],
  ]);

  transaction(() => renewNames(0, named([3, 'cat']), at('third')));

  expect(read()).toEqual([['cat', 'second']]);
});

test.each([
  ['before', [0, 1]],
  ['after', [1, 0]],
])('a name can move to an operator in another group, which is written %s', (_when, order) => {
  const { transaction, renewNames, parts } = aReplica();
  transaction(() => {
    renewNames(0, named([1, 'ann']), []);
    renewNames(1, named([1_025, 'bob']), []);
  });
  const next = [named([1, 'bob']), named([1_025, 'ann'])];

  transaction(() => order.forEach((group) => renewNames(group, next[group], [])));

  expect(parts.operators.byCodename('ann')?.id).toBe(1_025);
  expect(parts.operators.byCodename('bob')?.id).toBe(1);
});

test('tables and columns that are not copied are refused', () => {
  const { insert } = aReplica();
  const rows = (table: string, column: string) => ({ table, columns: [column], values: [['x']] });

  expect(() => insert(rows('secrets', 'name'))).toThrow(RangeError);
  expect(() => insert(rows('operators', 'role'))).toThrow(RangeError);
  expect(() => insert(rows('operators', 'id) VALUES (1); --'))).toThrow(RangeError);
});
