/** The database of a reader: copied rows of the board's database, in units that come and go. */
import type { Database } from 'better-sqlite3';
import { CHUNK_OPERATORS } from '#core/domain/board/day-chunk.ts';
import { GROUP_BITS, NAMES_BITS, PLACES_BITS } from './replica-out.ts';
import {
  BOARD,
  COPIED,
  type CopiedTable,
  type CopiedValue,
  NAMES,
  OPERATOR,
} from './replica-tables.ts';
import { openMigrated } from './engine/open.ts';
import { statementsIn } from './statements.ts';
import { partsIn, type Store } from './store.ts';

/** An empty name means a temporary file that SQLite deletes by itself. */
const TEMPORARY = '';

const TABLES = `
  CREATE TEMP TABLE copied_changes (operator_id INTEGER PRIMARY KEY, received_at TEXT NOT NULL) STRICT;
  CREATE TEMP TABLE copied_places (operator_id INTEGER, challenge INTEGER, place INTEGER,
    PRIMARY KEY (operator_id, challenge)) STRICT, WITHOUT ROWID;`;

export type Replica = ReturnType<typeof openReplica>;

/** Opens an empty database with the board's schema. Rows may refer to others that are not copied. */
export function openReplica({ migrations, now }: { migrations: string; now: () => Date }) {
  const db = openMigrated({ path: TEMPORARY, migrations, now });
  db.pragma('foreign_keys = OFF');
  db.pragma('synchronous = OFF');
  db.exec(TABLES);
  const { openBetween } = openBetweenIn(db);
  return {
    parts: partsIn(db),
    ...rowsIn(db),
    openBetween,
    placeOf: placeOfIn(db),
    snapshot<Result>(work: () => Result): Result {
      return db.transaction(work).deferred();
    },
    transaction: (work: () => void) => db.transaction(work).immediate(),
    close: () => void db.close(),
  };
}

function rowsIn(db: Database) {
  const sql = statementsIn(db);
  const remove = removalsIn(db);
  const setPlace = sql.run<(operator_id: number, challenge: number, place: number) => void>(`
    INSERT OR REPLACE INTO copied_places (operator_id, challenge, place)
    VALUES (@operator_id, @challenge, @place)`);
  const inserts = new Map<string, (...values: unknown[]) => void>();

  function insertInto(table: string, columns: readonly string[]) {
    const known = COPIED[table];
    if (!known || columns.some((name) => !Object.hasOwn(known, name))) {
      throw new RangeError(`Facts contain unknown columns of ${table}`);
    }
    const text = `INSERT OR REPLACE INTO main.${table} (${columns.join(', ')})
      VALUES (${columns.map(() => '?').join(', ')})`;
    const insert = inserts.get(text) ?? sql.run<(...values: unknown[]) => void>(text);
    inserts.set(text, insert);
    return insert;
  }

  return {
    /**
     * Adds rows. Call it inside a transaction.
     *
     * @throws {RangeError} for tables and columns that are not copied.
     */
    insert({ table, columns, values }: CopiedTable): void {
      const insert = insertInto(table, columns);
      const [first = []] = values;
      for (let row = 0; row < first.length; row += 1) {
        insert(...values.map((column) => column[row]));
      }
    },
    renewNames: renewNamesIn(db),
    setPlace,
    /** Removes the rows of a unit. Call it inside a transaction. */
    remove,
  };
}

/**
 * Replaces a group of operators. Few of them differ, and only those are written, because the table has many indexes.
 * They are passed to SQLite as JSON, which is three times as fast as row by row, and a new reader waits for all of them.
 */
function renewNamesIn(db: Database) {
  const sql = statementsIn(db);
  const columns = Object.keys(NAMES.operators);
  const id = columns.indexOf('id');
  const stored = sql.tuples<(first: number, last: number) => CopiedValue[][]>(`
    SELECT ${columns.join(', ')} FROM operators WHERE id BETWEEN @first AND @last`);
  const remove = sql.run<(ids: string) => void>(`
    DELETE FROM operators WHERE id IN (SELECT value FROM json_each(@ids))`);
  const removeChanges = sql.run<(ids: string) => void>(`
    DELETE FROM copied_changes WHERE operator_id IN (SELECT value FROM json_each(@ids))`);
  const add = sql.run<(rows: string) => void>(`
    INSERT OR REPLACE INTO operators (${columns.join(', ')})
    SELECT ${columns.map((_, at) => `value ->> ${at}`).join(', ')} FROM json_each(@rows)`);
  const addChanges = sql.run<(rows: string) => void>(`
    INSERT OR REPLACE INTO copied_changes (operator_id, received_at)
    SELECT value ->> 0, value ->> 1 FROM json_each(@rows)`);

  /**
   * Call it inside a transaction.
   *
   * @param changedAt When each operator last changed.
   */
  return (
    group: number,
    table: CopiedTable | undefined,
    changedAt: readonly [number, string][],
  ): void => {
    const first = group << NAMES_BITS;
    const rows = stored(first, first + (1 << NAMES_BITS) - 1);
    const known = new Map(rows.map((row) => [row[id], JSON.stringify(row)]));
    const ids = table?.values[table.columns.indexOf('id')] ?? [];
    const next = new Map(
      ids.map((each, at) => {
        return [each, JSON.stringify(columns.map((name) => valueIn(table, name, at)))];
      }),
    );
    const changed = [...next.keys()].filter((each) => known.get(each) !== next.get(each));
    const gone = [...known.keys()].filter((each) => !next.has(each ?? null));
    remove(JSON.stringify([...gone, ...changed]));
    removeChanges(JSON.stringify(gone));
    add(`[${changed.map((each) => next.get(each)).join()}]`);
    const isChanged = new Set<unknown>(changed);
    addChanges(JSON.stringify(changedAt.filter(([operator]) => isChanged.has(operator))));
  };
}

function valueIn(table: CopiedTable | undefined, column: string, row: number): CopiedValue {
  return table?.values[table.columns.indexOf(column)]?.[row] ?? null;
}

/** The statements that remove the rows of each kind of unit, by the numbers in its name. */
function removalsIn(db: Database) {
  const sql = statementsIn(db);
  const run = (text: string) => sql.run<(...numbers: unknown[]) => void>(text);
  const span = (bits: number) => `BETWEEN @unit << ${bits} AND ((@unit + 1) << ${bits}) - 1`;
  const ofOperators = Object.keys(OPERATOR).filter((table) => table !== 'device_keys');
  const removals: Record<string, ReturnType<typeof run>[]> = {
    board: Object.keys(BOARD).map((table) => run(`DELETE FROM main.${table}`)),
    pictures: [run('DELETE FROM avatars')],
    names: [
      run(`DELETE FROM operators WHERE id ${span(NAMES_BITS)}`),
      run(`DELETE FROM copied_changes WHERE operator_id ${span(NAMES_BITS)}`),
    ],
    operators: [
      run(
        `DELETE FROM device_keys WHERE device_id IN (SELECT id FROM devices WHERE operator_id = @unit)`,
      ),
      ...['copied_places', ...ofOperators.map((table) => `main.${table}`)].map((table) =>
        run(`DELETE FROM ${table} WHERE operator_id = @unit`),
      ),
    ],
    challenges: ['challenge_standings', 'challenge_places'].map((table) =>
      run(`DELETE FROM ${table} WHERE challenge = @first AND place ${span(PLACES_BITS)}`),
    ),
    days: [
      run(`DELETE FROM day_places WHERE day = @first AND chunk ${span(GROUP_BITS)}`),
      run(
        `DELETE FROM daily_standings WHERE day = @first AND operator_id / ${CHUNK_OPERATORS} ${span(GROUP_BITS)}`,
      ),
    ],
    ranks: [
      run(
        `DELETE FROM day_places WHERE day BETWEEN @first || '-01' AND @first || '-31' AND chunk = @unit`,
      ),
      run(`DELETE FROM daily_standings
        WHERE day BETWEEN @first || '-01' AND @first || '-31' AND operator_id / ${CHUNK_OPERATORS} = @unit`),
    ],
    values: [run('DELETE FROM day_values WHERE day = @first AND chunk = @unit')],
  };
  return (unit: string): void => {
    const [kind = '', ...names] = unit.split('/');
    const last = names.at(-1);
    const first = names.length > 1 ? names[0] : null;
    for (const each of removals[kind] ?? [])
      each({ first, unit: last === undefined ? null : Number(last) });
  };
}

function openBetweenIn(db: Database) {
  const sql = statementsIn(db);
  const openBetween = sql.tuples<(of: object) => [codename: string, received_at: string | null][]>(`
    SELECT public_name, CASE WHEN log_index <= @until THEN (
      SELECT received_at FROM copied_changes c WHERE c.operator_id = o.id) END
    FROM operators o WHERE is_open = 1 AND public_name BETWEEN @first AND @last`);
  return {
    openBetween: ((first, last, until) =>
      openBetween({ first, last, until })) as Store['operators']['openBetween'],
  };
}

function placeOfIn(db: Database): Store['challenges']['placeOf'] {
  const sql = statementsIn(db);
  return sql.value<(seq: number, operator_id: number) => number | undefined>(`
    SELECT place FROM copied_places WHERE challenge = @seq AND operator_id = @operator_id`);
}
