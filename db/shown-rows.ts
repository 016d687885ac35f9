import type { Database } from 'better-sqlite3';
import type { BoardSlice } from '#core/domain/board.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { KIND_SUMS, kindsIn } from './kind-sums.ts';
import type { Operator } from './operators.ts';

/** Some days of some operators, by what the public calls them now, on the boards of a slice. */
export interface ShownDays extends BoardSlice {
  names: readonly string[];
  /** The first and the last day. */
  from: string;
  to: string;
}

/** What of a day's buckets reports the same pillars. */
export type ShownDay = Pillars & { codename: string; day: string };

/** A name, a day and what its buckets add up to. */
type SummedDay = [codename: string, day: string, ...sums: (number | null)[]];

/** A picture, and what decides whether it may be seen. */
export type ShownPicture = Pick<Operator, 'hidden_at' | 'privacy_mode'> & {
  codename: string;
  hash: string;
};

/** What the rows of a board's page show besides the board, for all of them in one statement. */
export function shownRowsIn(db: Database) {
  const named = `operators.public_name IN (SELECT value FROM json_each(@names))`;
  const days = db
    .prepare(
      `SELECT public_name, day, ${KIND_SUMS}
       FROM operators JOIN buckets ON buckets.operator_id = operators.id
       WHERE ${named} AND is_open = 1 AND day BETWEEN @from AND @to AND counts = 1
         AND (@tool IS NULL OR tool = @tool)
         AND (@trust = 'all' OR (SELECT trust FROM devices WHERE id = device_id) = 'signed')
       GROUP BY operators.id, day`,
    )
    .raw();
  const pictures = db.prepare(
    `SELECT public_name AS codename, hash, privacy_mode, hidden_at
     FROM operators JOIN avatars ON avatars.operator_id = operators.id WHERE ${named}`,
  );

  return {
    /** The counting buckets of those whose history is public, summed by day. */
    days: ({ names, ...span }: ShownDays) =>
      (days.all({ names: JSON.stringify(names), ...span }) as SummedDay[]).flatMap(
        ([codename, day, ...sums]): ShownDay[] =>
          kindsIn(sums).map((pillars) => ({ codename, day, ...pillars })),
      ),
    pictures: (names: readonly string[]) =>
      pictures.all({ names: JSON.stringify(names) }) as ShownPicture[],
  };
}
