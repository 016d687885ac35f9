import type { Database } from 'better-sqlite3';
import type { Bucket, Pillars } from '#core/schema/usage.ts';

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
  // What reports the same pillars can be summed here; the sums stay within 2^53-1.
  const signedUsage = db.prepare(
    `SELECT day, sum(input) AS input, sum(output) AS output, sum(cache_write) AS cache_write,
       sum(cache_read) AS cache_read
     FROM buckets
     WHERE operator_id = @operator_id AND day BETWEEN @from AND @to AND counts = 1
       AND (SELECT trust FROM devices WHERE id = device_id) = 'signed'
     GROUP BY day, cache_write IS NULL, cache_read IS NULL`,
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
    /** What counts and was signed by a device: the sums of each day's buckets that report the same pillars, by day. */
    signedUsage: (of: DaySpan) => signedUsage.all(of) as DayPillars[],
  };
}
