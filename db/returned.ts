import type { Statement } from 'better-sqlite3';

/**
 * Runs a statement that ends with `RETURNING` and returns the first row of it. Use it in place of `get()`,
 * which leaves such a statement before it is stored, and says nothing if that fails then.
 */
export function returned(statement: Statement, ...values: unknown[]): unknown {
  return statement.all(...values)[0];
}
