import type { Database } from 'better-sqlite3';
import type { Operator } from './operators.ts';

/** Somebody whose history is public, by what the public calls them now. */
export interface ShownOperator {
  id: number;
  codename: string;
}

/** A picture, and what decides whether it may be seen. */
export type ShownPicture = Pick<Operator, 'hidden_at' | 'privacy_mode'> & {
  codename: string;
  hash: string;
};

/** What the rows of a board's page show besides the board. */
export function shownRowsIn(db: Database) {
  const named = `operators.public_name IN (SELECT value FROM json_each(@names))`;
  const open = db.prepare(
    `SELECT id, public_name AS codename FROM operators WHERE ${named} AND is_open = 1`,
  );
  const pictures = db.prepare(
    `SELECT public_name AS codename, hash, privacy_mode, hidden_at
     FROM operators JOIN avatars ON avatars.operator_id = operators.id WHERE ${named}`,
  );

  return {
    /** Those whose history is public. */
    open: (names: readonly string[]) =>
      open.all({ names: JSON.stringify(names) }) as ShownOperator[],
    pictures: (names: readonly string[]) =>
      pictures.all({ names: JSON.stringify(names) }) as ShownPicture[],
  };
}
