/** DuckDB, as people use it with the files of a board. */
import { DuckDBInstance } from '@duckdb/node-api';
import { whenOver } from './cleanup.ts';

export type DuckRow = Record<string, unknown>;

/** Runs statements in one session that finds files in a folder. Closed after the test. */
export async function aDuckDb(folder: string) {
  const duck = await DuckDBInstance.create(':memory:', { threads: '1', file_search_path: folder });
  const connection = await duck.connect();
  whenOver(() => {
    connection.closeSync();
    duck.closeSync();
  });
  return async (sql: string): Promise<DuckRow[]> => {
    const result = await connection.runAndReadAll(sql);
    return result.getRowObjectsJson() as DuckRow[];
  };
}
