import { randomInt } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { statementsIn } from '../statements.ts';

/** The IDs of words, which all take 6 bytes. */
const FIRST = 2 ** 46;
const AFTER_LAST = 2 ** 47;

/** The texts that an operator's rows repeat. */
export function wordsIn(db: Database) {
  const sql = statementsIn(db);
  const find = sql.value<(operator_id: number, text: string) => number | undefined>(`
    SELECT id FROM words WHERE operator_id = ? AND text = ?`);
  const add = sql.run<(id: number, operator_id: number, text: string) => void>(`
    INSERT INTO words (id, operator_id, text) VALUES (@id, @operator_id, @text)`);

  return {
    /** The number of a word, which is added if it is new. */
    idOf(operator_id: number, text: string): number {
      const known = find(operator_id, text);
      if (known !== undefined) return known;
      const id = randomInt(FIRST, AFTER_LAST);
      add(id, operator_id, text);
      return id;
    },
  };
}
