import type { Database } from 'better-sqlite3';
import type { BoardSlice } from '#core/domain/board.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';
import { KIND_SUMS, kindsIn } from './kind-sums.ts';

/** Where a record stands among its operator's; a submission belongs to one device, so no two share a place. */
export interface RecordPlace {
  day: string;
  tool: string;
  log_index: number;
  provider: string;
  model: string;
}

/** One operator's days, from `from` to `to`, both ends included. */
export interface DaySpan {
  operator_id: number;
  from: string;
  to: string;
}

/** The counts of some buckets of a UTC day. */
export type DayPillars = Pillars & Pick<Bucket, 'day'>;

/** A day and what its buckets add up to. */
type SummedDay = [day: string, ...sums: (number | null)[]];

const COUNTING = `SELECT day, tool, log_index, provider, model, input, output, cache_write, cache_read
  FROM buckets WHERE operator_id = @operator_id AND counts = 1`;
const NEWEST_FIRST = `
  ORDER BY day DESC, tool DESC, log_index DESC, provider DESC, model DESC LIMIT @limit`;

/** The buckets that count, as what is public of them is read. */
export function recordsIn(db: Database) {
  const first = db.prepare(`${COUNTING} ${NEWEST_FIRST}`);
  const further = db.prepare(
    `${COUNTING} AND (day, tool, log_index, provider, model)
       < (@day, @tool, @log_index, @provider, @model) ${NEWEST_FIRST}`,
  );
  const total = db
    .prepare('SELECT count(*) FROM buckets WHERE operator_id = ? AND counts = 1')
    .pluck();
  const perSubmission = db
    .prepare(
      `SELECT log_index, count(*) FROM buckets
       WHERE operator_id = @operator_id AND day BETWEEN @from AND @to AND counts = 1
         AND log_index BETWEEN @first AND @last
       GROUP BY log_index`,
    )
    .raw();
  // The sums stay within 2^53-1. The sign keeps SQLite from the index by device, which has no counts.
  const usage = db
    .prepare(
      `SELECT day, ${KIND_SUMS} FROM buckets
       WHERE operator_id = @operator_id AND day BETWEEN @from AND @to AND counts = 1
         AND (@tool IS NULL OR tool = @tool)
         AND (@trust = 'all' OR +device_id IN
           (SELECT id FROM devices WHERE operator_id = @operator_id AND trust = 'signed'))
       GROUP BY day`,
    )
    .raw();
  const tokensByTool = db
    .prepare(
      `SELECT tool, sum(input + output + coalesce(cache_write, 0) + coalesce(cache_read, 0)) FROM buckets
       WHERE operator_id = ? AND day >= ? AND counts = 1
         AND +device_id IN (SELECT id FROM devices WHERE operator_id = ? AND trust = 'signed')
       GROUP BY tool`,
    )
    .raw();
  const usageOf = (of: BoardSlice & DaySpan) =>
    (usage.all(of) as SummedDay[]).flatMap(([day, ...sums]): DayPillars[] =>
      kindsIn(sums).map((pillars) => ({ day, ...pillars })),
    );

  return {
    /** An operator's counting buckets, newest day first, from the one after `place` on. */
    page(operator_id: number, place: RecordPlace | null, limit: number) {
      const rows = place
        ? further.all({ operator_id, limit, ...place })
        : first.all({ operator_id, limit });
      return rows as (Bucket & RecordPlace)[];
    },
    total: (operator_id: number) => total.get(operator_id) as number,
    /** How many buckets count of each submission in a stretch of the log, if any, by its place there. */
    perSubmission: (of: DaySpan & { first: number; last: number }) =>
      new Map(perSubmission.all(of) as [number, number][]),
    /** What counts on the boards of a slice: the sums of each day's buckets that report the same pillars, by day. */
    usage: usageOf,
    /** The tokens of each tool that count and that devices signed, from a day on. */
    signedTokensByTool: (operator_id: number, from: string) =>
      new Map(tokensByTool.all(operator_id, from, operator_id) as [string, number][]),
    /** Of that what devices signed, of all tools. */
    signedUsage: (of: DaySpan) => usageOf({ ...of, tool: null, trust: 'signed' }),
  };
}
