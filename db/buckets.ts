import type { Database } from 'better-sqlite3';
import { bucketKey, totalOf } from '#core/domain/counting/bucket.ts';
import type { CountedBucket } from '#core/domain/counting/counting.ts';
import { MAX_COUNT } from '#core/schema/usage.ts';
import {
  type BucketPart,
  type BucketRow,
  COUNTS,
  IN_PART,
  countsRowOf,
  endsOf,
  statedOf,
} from './bucket-rows.ts';

export interface BucketTotals {
  /** All tokens; infinite if more than 2^53-1. */
  total: number;
  tools: number;
  providers: number;
  models: number;
  pairs: number;
  /** All buckets that stand, also those that do not count. */
  standing: number;
}

interface BucketGroup {
  operator_id: number;
  day: string;
  tool: string;
}

/** Day, tool, provider, model, input, output, cache_write, cache_read, device. */
export type CountingRow = [
  string,
  string,
  string,
  string,
  number,
  number,
  number | null,
  number | null,
  number,
];

const COUNTED = `day, provider, model, tool, ${COUNTS}, device_id, log_index,
  (SELECT trust FROM devices WHERE id = device_id) AS trust`;

/** What every device last stated, and what of it counts. */
export function bucketsIn(db: Database) {
  const group = db.prepare(
    `SELECT ${COUNTED} FROM buckets WHERE operator_id = @operator_id AND day = @day AND tool = @tool`,
  );
  const ofDays = db.prepare(
    `SELECT ${COUNTED} FROM buckets WHERE operator_id = @operator_id AND day BETWEEN @from AND @to`,
  );
  const daysOfTool = db
    .prepare(
      `SELECT DISTINCT day FROM buckets WHERE operator_id = @operator_id
       AND day BETWEEN @from AND @to AND tool = @tool AND device_id = @device_id`,
    )
    .pluck();
  const remove = db.prepare(
    `DELETE FROM buckets WHERE operator_id = @operator_id AND day = @day AND tool = @tool
     AND device_id = @device_id AND provider = @provider AND model = @model`,
  );
  const put = db.prepare(
    `INSERT INTO buckets (operator_id, day, tool, device_id, provider, model, input, output,
       cache_write, cache_read, log_index, counts, stated_input, stated_output,
       stated_cache_write, stated_cache_read, fingerprint)
     VALUES (@operator_id, @day, @tool, @device_id, @provider, @model, @input, @output,
       @cache_write, @cache_read, @log_index, @counts, @stated_input, @stated_output,
       @stated_cache_write, @stated_cache_read, @fingerprint)
     ON CONFLICT DO UPDATE SET
       input = excluded.input, output = excluded.output, cache_write = excluded.cache_write,
       cache_read = excluded.cache_read, log_index = excluded.log_index, counts = excluded.counts,
       stated_input = excluded.stated_input, stated_output = excluded.stated_output,
       stated_cache_write = excluded.stated_cache_write,
       stated_cache_read = excluded.stated_cache_read, fingerprint = excluded.fingerprint`,
  );
  const totals = db.prepare(
    `SELECT coalesce(sum(input + output + coalesce(cache_write, 0) + coalesce(cache_read, 0))
         FILTER (WHERE counts = 1), 0) AS total,
       count(DISTINCT tool) FILTER (WHERE counts = 1) AS tools,
       count(DISTINCT provider) FILTER (WHERE counts = 1) AS providers,
       count(DISTINCT model) FILTER (WHERE counts = 1) AS models,
       count(DISTINCT provider || char(10) || model) FILTER (WHERE counts = 1) AS pairs,
       count(*) AS standing
     FROM buckets WHERE operator_id = ?`,
  );
  const counting = db
    .prepare(
      `SELECT day, tool, provider, model, input, output, cache_write, cache_read, device_id
       FROM buckets WHERE operator_id = ? AND counts = 1 ORDER BY day`,
    )
    .raw();

  // The sign keeps SQLite from the index by device, which has no counts: it took twice as long.
  const signed = db
    .prepare(
      `SELECT day, tool, provider, model, input, output, cache_write, cache_read, device_id
       FROM buckets
       WHERE ${IN_PART} AND counts = 1
         AND +device_id IN (SELECT id FROM devices WHERE operator_id = @operator_id AND trust = 'signed')
       ORDER BY day`,
    )
    .raw();

  return {
    /** All that stands, of whatever device. */
    group: (of: BucketGroup): CountedBucket[] => (group.all(of) as BucketRow[]).map(statedOf),
    /** All that stands of an operator in some days, of whatever device. */
    ofDays: (of: { operator_id: number; from: string; to: string }): CountedBucket[] =>
      (ofDays.all(of) as BucketRow[]).map(statedOf),
    daysOfTool: (span: {
      operator_id: number;
      device_id: number;
      tool: string;
      from: string;
      to: string;
    }) => daysOfTool.all(span) as string[],
    /** Writes what differs between whole groups as they stood and as they stand now. */
    replaceGroups(
      operator_id: number,
      before: readonly CountedBucket[],
      after: readonly CountedBucket[],
    ) {
      const rest = new Map(before.map((bucket) => [placeOf(bucket), bucket]));
      for (const bucket of after) {
        const earlier = rest.get(placeOf(bucket));
        rest.delete(placeOf(bucket));
        if (earlier && isSame(earlier, bucket)) continue;
        put.run({ ...bucket, ...countsRowOf(bucket), operator_id });
      }
      for (const bucket of rest.values()) remove.run({ ...bucket, operator_id });
    },
    totals(operator_id: number): BucketTotals {
      const row = totals.get(operator_id) as BucketTotals;
      return row.total > MAX_COUNT ? { ...row, total: Number.POSITIVE_INFINITY } : row;
    },
    counting: (operator_id: number) => counting.all(operator_id) as CountingRow[],
    /** Of that what devices signed, in some days or a part of them. */
    signed: (of: BucketPart) => signed.all(endsOf(of)) as CountingRow[],
  };
}

function placeOf(bucket: CountedBucket): string {
  return `${bucket.device_id}\n${bucketKey(bucket)}`;
}

/** Whether a bucket is as it was: one statement's counts never change, but what counts of them does. */
function isSame(earlier: CountedBucket, { log_index, counts, counted }: CountedBucket): boolean {
  const isSameStatement = earlier.log_index === log_index;
  return (
    isSameStatement && earlier.counts === counts && totalOf(earlier.counted) === totalOf(counted)
  );
}
