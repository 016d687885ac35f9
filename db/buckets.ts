import type { Database } from 'better-sqlite3';
import { bucketKey, totalOf } from '#core/domain/counting/bucket.ts';
import type { CountedBucket } from '#core/domain/counting/counting.ts';
import {
  type BucketRow,
  COUNTS,
  type DaySpan,
  ON_DAYS,
  countsRowOf,
  daysOf,
  statedOf,
} from './bucket-rows.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import { monthOf } from '#core/domain/counting/usage-block.ts';
import { sourcesIn } from './sources.ts';
import { totalsIn } from './bucket-totals.ts';
import { statementsIn } from './statements.ts';
import { unmovedCountsIn } from './unmoved-counts.ts';
import { usageBlocksIn } from './usage-blocks.ts';

const COUNTED = `day, provider, model, tool, ${COUNTS}, device_id, log_index,
  (SELECT trust FROM devices WHERE id = device_id) AS trust`;

/** What each device last stated, and how much of it counts. */
export function bucketsIn(db: Database) {
  const sql = statementsIn(db);
  const sources = sourcesIn(db);
  const unmoved = unmovedCountsIn(db);
  const blocks = usageBlocksIn(db);
  const group = sql.all<(of: object) => BucketRow[]>(`
    SELECT ${COUNTED} FROM buckets WHERE operator_id = @operator_id
      AND day_number = @number AND day = @day AND tool = @tool`);
  const ofDays = sql.all<(of: object) => BucketRow[]>(`
    SELECT ${COUNTED} FROM buckets WHERE ${ON_DAYS}`);
  const remove = sql.run<(of: object) => void>(`
    DELETE FROM daily_counts WHERE operator_id = @operator_id AND day = @day AND source = @source
      AND device_id = @device_id`);
  const put = sql.run<(of: object) => void>(`
    INSERT INTO daily_counts (operator_id, day, source, device_id, log_index, ${COUNTS})
    VALUES (@operator_id, @day, @source, @device_id, @log_index, @input, @output, @cache_write,
      @cache_read, @counts, @stated_input, @stated_output, @stated_cache_write,
      @stated_cache_read, @fingerprint)
    ON CONFLICT DO UPDATE SET
      input = excluded.input, output = excluded.output, cache_write = excluded.cache_write,
      cache_read = excluded.cache_read, log_index = excluded.log_index, counts = excluded.counts,
      stated_input = excluded.stated_input, stated_output = excluded.stated_output,
      stated_cache_write = excluded.stated_cache_write,
      stated_cache_read = excluded.stated_cache_read, fingerprint = excluded.fingerprint`);
  const daysOfTool = sql.values<(of: object) => string[]>(`
    SELECT DISTINCT day FROM buckets WHERE ${ON_DAYS} AND tool = @tool AND device_id = @device_id`);

  return {
    /** All current daily counts of the group, from any device. */
    group: (of: { operator_id: number; day: string; tool: string }): CountedBucket[] =>
      group({ ...of, number: dayNumber(of.day) }).map(statedOf),
    /** All current daily counts of an operator in these days, from any device. */
    ofDays: (of: DaySpan): CountedBucket[] => ofDays(daysOf(of)).map(statedOf),
    daysOfTool: ({ device_id, tool, ...of }: DaySpan & { device_id: number; tool: string }) =>
      daysOfTool({ ...daysOf(of), device_id, tool }),
    /** Writes the differences between the old and the new state of whole groups. Call it inside a transaction. */
    replaceGroups(
      operator_id: number,
      before: readonly CountedBucket[],
      after: readonly CountedBucket[],
    ) {
      const rest = new Map(before.map((bucket) => [placeOf(bucket), bucket]));
      const changed = after.filter((bucket) => {
        const earlier = rest.get(placeOf(bucket));
        rest.delete(placeOf(bucket));
        return !earlier || !isSame(earlier, bucket);
      });
      const days = new Set([...changed, ...rest.values()].map(({ day }) => day));
      if (days.size === 0) return;
      const moved = unmoved.moveDays(operator_id, days);
      const sourceOf = sources.numbered(operator_id);
      const keyOf = (bucket: CountedBucket) => {
        return { operator_id, day: dayNumber(bucket.day), source: sourceOf(bucket) };
      };
      for (const bucket of changed) put({ ...bucket, ...countsRowOf(bucket), ...keyOf(bucket) });
      for (const bucket of rest.values()) remove({ ...bucket, ...keyOf(bucket) });
      if (rest.size > 0) sources.removeUnused(operator_id);
      const months = [...days].map((day) => monthOf(dayNumber(day)));
      blocks.refresh(operator_id, new Set([...months, ...moved]));
    },
    totals: totalsIn(db),
  };
}

function placeOf(bucket: CountedBucket): string {
  return `${bucket.device_id}\n${bucketKey(bucket)}`;
}

/** Whether a daily count is unchanged. The counts in a statement never change, but how much of them counts does. */
function isSame(earlier: CountedBucket, { log_index, counts, counted }: CountedBucket): boolean {
  const isSameStatement = earlier.log_index === log_index;
  return (
    isSameStatement && earlier.counts === counts && totalOf(earlier.counted) === totalOf(counted)
  );
}
