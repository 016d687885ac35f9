import type { Database } from 'better-sqlite3';
import type { Bucket } from '#core/schema/usage.ts';
import { statementsIn } from './statements.ts';

type Source = Pick<Bucket, 'tool' | 'provider' | 'model'>;

/** The numbers of each operator's tools, providers and models. */
export function sourcesIn(db: Database) {
  const sql = statementsIn(db);
  const named = sql.all<(operator_id: number) => (Source & { source: number })[]>(`
    SELECT source, tool, provider, model FROM sources WHERE operator_id = ?`);
  const add = sql.run<(of: object) => void>(`
    INSERT INTO sources (operator_id, source, tool, provider, model)
    VALUES (@operator_id, @source, @tool, @provider, @model)`);
  const removeUnused = sql.run<(operator_id: number) => void>(`
    DELETE FROM sources WHERE operator_id = @operator_id AND source NOT IN
      (SELECT source FROM daily_counts WHERE operator_id = @operator_id)`);

  return {
    /** All sources of an operator, with their numbers. */
    named,
    /** Returns a function that returns the number of a source, and adds the source if it has none. */
    numbered(operator_id: number): (source: Source) => number {
      const rows = named(operator_id);
      const numbers = new Map(rows.map((row) => [nameOf(row), row.source]));
      let next = Math.max(-1, ...rows.map(({ source }) => source)) + 1;
      return (source) => {
        let number = numbers.get(nameOf(source));
        if (number === undefined) {
          number = next++;
          const { tool, provider, model } = source;
          add({ operator_id, source: number, tool, provider, model });
          numbers.set(nameOf(source), number);
        }
        return number;
      };
    },
    /** Deletes sources without daily counts. */
    removeUnused,
  };
}

function nameOf({ tool, provider, model }: Source): string {
  return JSON.stringify([tool, provider, model]);
}
