import type { Database } from 'better-sqlite3';
import type { BoardSlice } from '#core/domain/board/board.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';
import { type BucketPart, type DaySpan, IN_PART, endsOf, partEndsIn } from './bucket-parts.ts';
import { KIND_SUMS, kindsIn } from './kind-sums.ts';

export type { BucketPart, DaySpan };

/** Where a record stands among its operator's; a submission belongs to one device, so no two share a place. */
export interface RecordPlace {
  day: string;
  tool: string;
  log_index: number;
  provider: string;
  model: string;
}

/** A stretch of the log, both ends included. */
export interface LogStretch {
  first: number;
  last: number;
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
  const count = db.prepare(`SELECT count(*) FROM buckets WHERE ${IN_PART} AND counts = 1`).pluck();
  const countIn = (of: BucketPart) => count.get(endsOf(of)) as number;
  const perSubmission = db
    .prepare(
      `SELECT log_index, count(*) FROM buckets
       WHERE ${IN_PART} AND counts = 1
         AND log_index BETWEEN @first AND @last
       GROUP BY log_index`,
    )
    .raw();
  // The sums stay within 2^53-1. The sign keeps SQLite from the index by device, which has no counts.
  const usage = db
    .prepare(
      `SELECT day, ${KIND_SUMS} FROM buckets
       WHERE ${IN_PART} AND counts = 1
         AND (@tool IS NULL OR tool = @tool)
         AND (@trust = 'all' OR +device_id IN
           (SELECT id FROM devices WHERE operator_id = @operator_id AND trust = 'signed'))
       GROUP BY day`,
    )
    .raw();
  const signedByTool = db
    .prepare(
      `SELECT tool, day, ${KIND_SUMS} FROM buckets
       WHERE ${IN_PART} AND counts = 1
         AND +device_id IN (SELECT id FROM devices WHERE operator_id = @operator_id AND trust = 'signed')
       GROUP BY day, tool`,
    )
    .raw();
  const usageOf = ({ tool, trust, ...of }: BoardSlice & BucketPart) =>
    (usage.all({ tool, trust, ...endsOf(of) }) as SummedDay[]).flatMap(
      ([day, ...sums]): DayPillars[] => kindsIn(sums).map((pillars) => ({ day, ...pillars })),
    );

  return {
    /** An operator's counting buckets, newest day first, from the one after `place` on. */
    page(operator_id: number, place: RecordPlace | null, limit: number) {
      const rows = place
        ? further.all({ operator_id, limit, ...place })
        : first.all({ operator_id, limit });
      return rows as (Bucket & RecordPlace)[];
    },
    total: (operator_id: number) => countIn({ operator_id, from: '', to: '9999-12-31' }),
    /** How many buckets count. */
    countIn,
    /** How many buckets count of each submission in a stretch of the log, if any, by its place there. */
    perSubmission: ({ first, last, ...of }: BucketPart & LogStretch) =>
      new Map(perSubmission.all({ first, last, ...endsOf(of) }) as [number, number][]),
    /** Where a part of so many buckets ends; null if there are fewer. */
    partEnd: partEndsIn(db),
    /** What counts on the boards of a slice: the sums of each day's buckets that report the same pillars, by day. */
    usage: usageOf,
    /** What counts and devices signed: the sums of each day's and tool's buckets that report the same pillars, by day. */
    signedByTool: (of: BucketPart) =>
      (signedByTool.all(endsOf(of)) as [string, ...SummedDay][]).flatMap(([tool, day, ...sums]) =>
        kindsIn(sums).map((pillars) => ({ tool, day, ...pillars })),
      ),
    /** Of that what devices signed, of all tools. */
    signedUsage: (of: BucketPart) => usageOf({ ...of, tool: null, trust: 'signed' }),
  };
}
