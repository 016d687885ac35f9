import type { Database, Statement } from 'better-sqlite3';
import { withWriteLock } from './engine/write-lock.ts';

type Ask = (...values: never[]) => unknown;

/**
 * Prepares statements as functions of their parameters. Members of an object are bound by name (`@name`). Other
 * arguments are bound in the order in which the statement first uses its parameters.
 */
export function statementsIn(db: Database) {
  const asked =
    (read: (statement: Statement, values: unknown[]) => unknown, mode?: 'pluck' | 'raw') =>
    <Asked extends Ask>(sql: string): Asked => {
      const statement = db.prepare(sql);
      if (mode) statement[mode]();
      const names = [...new Set(sql.match(/(?<=@)\w+/g))];
      const run = (...values: unknown[]) => read(statement, bound(values, names));
      const write = (...values: unknown[]) => withWriteLock(db, () => run(...values));
      return (statement.readonly ? run : write) as unknown as Asked;
    };
  const all = (statement: Statement, values: unknown[]) => statement.all(...values);
  const iterate = (statement: Statement, values: unknown[]) => statement.iterate(...values);
  const changes = (statement: Statement, values: unknown[]) => statement.run(...values).changes;

  return {
    /** The first row. */
    get: asked(first),
    /** The first column of the first row. */
    value: asked(first, 'pluck'),
    all: asked(all),
    /** The first column of all rows. */
    values: asked(all, 'pluck'),
    tuples: asked(all, 'raw'),
    iterate: asked(iterate),
    iterateTuples: asked(iterate, 'raw'),
    /** Whether there is a row. */
    has: asked((statement, values) => first(statement, values) !== undefined),
    run: asked((statement, values) => void statement.run(...values)),
    /** How many rows it changed. */
    changes: asked(changes),
    /** Whether it changed a row. */
    did: asked((statement, values) => changes(statement, values) > 0),
  };
}

/**
 * Reads a `RETURNING` statement to its end. `get` returns before the change is stored, and hides errors in storing
 * it.
 */
function first(statement: Statement, values: unknown[]): unknown {
  return statement.readonly ? statement.get(...values) : statement.all(...values)[0];
}

function bound(values: unknown[], names: readonly string[]): unknown[] {
  const [value] = values;
  const isRow = typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
  if (isRow || names.length === 0) return values;
  return [Object.fromEntries(names.map((name, at) => [name, values[at]]))];
}
