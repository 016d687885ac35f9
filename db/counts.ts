/** What each device of an operator stated, read page by page, because a large account has 100,000 daily counts. */
import type { Database } from 'better-sqlite3';
import type { CountedBucket } from '#core/domain/counting/counting.ts';
import type { Bucket } from '#core/schema/usage.ts';
import {
  type BucketPart,
  type BucketRow,
  COUNTS,
  IN_PART,
  ON_DAYS,
  daysOf,
  endsOf,
  statedOf,
} from './bucket-rows.ts';
import { statementsIn } from './statements.ts';

interface CountsFilter {
  operator_id: number;
  /** Null for all devices. */
  device_id: number | null;
  /** Days, both included. */
  from: string;
  to: string;
}

interface CountPlace extends Pick<Bucket, 'day' | 'model' | 'provider' | 'tool'> {
  device: string;
}

/** Which device stated a daily count, and when. */
interface Statement {
  /** The device's public ID, and its name. */
  device: string;
  label: string;
  /** When the board received the submission that stated it, and that submission's ID. */
  stated_at: string;
  submission: string;
}

type StatedCount = CountedBucket & Statement;

/** A daily count that counts only in part or not at all. */
export interface SharedCount {
  day: string;
  tool: string;
  tokens: number;
  in_part: number;
}

const STATED = `day, day_number, tool, provider, model, device_id, 'signed' AS trust, log_index, ${COUNTS},
  (SELECT public_id FROM devices d WHERE d.id = b.device_id) AS device,
  (SELECT label FROM devices d WHERE d.id = b.device_id) AS label,
  (SELECT received_at FROM log_entries e WHERE e.log_index = b.log_index) AS stated_at,
  (SELECT s.id FROM submissions s WHERE s.log_index = b.log_index) AS submission`;
const SIGNED = `device_id IN (SELECT id FROM devices WHERE operator_id = @operator_id AND trust = 'signed')`;
/** A signed count that counts only in part or not at all, because another device states it. */
const SHARED = `(counts = 0 OR stated_input IS NOT NULL) AND ${SIGNED}`;

export function countsIn(db: Database) {
  const sql = statementsIn(db);
  const page = sql.all<(of: object) => (BucketRow & Statement)[]>(`
    SELECT ${STATED} FROM buckets b
    WHERE ${ON_DAYS} AND (day, tool, provider, model, device) > (@day, @tool, @provider, @model, @device)
      AND ${SIGNED}
    ORDER BY day_number, tool, provider, model, device LIMIT @limit`);
  const pageOfDevice = sql.all<(of: object) => (BucketRow & Statement)[]>(`
    SELECT ${STATED} FROM buckets b
    WHERE ${ON_DAYS} AND device_id = @device_id AND (day, tool, provider, model) > (@day, @tool, @provider, @model)
    ORDER BY day_number, tool, provider, model LIMIT @limit`);
  const total = sql.value<(of: object) => number>(`
    SELECT count(*) FROM buckets
    WHERE ${IN_PART} AND (@device_id IS NULL OR device_id = @device_id) AND ${SIGNED}`);
  const shared = sql.all<(of: object) => SharedCount[]>(`
    SELECT day, tool, coalesce(stated_input, input) + coalesce(stated_output, output)
        + coalesce(stated_cache_write, cache_write, 0) + coalesce(stated_cache_read, cache_read, 0)
        - counts * (input + output + coalesce(cache_write, 0) + coalesce(cache_read, 0)) AS tokens,
      counts AS in_part
    FROM buckets WHERE ${IN_PART} AND ${SHARED}`);

  return {
    /** Daily counts after a place, or from the first, by day, tool, provider, model and device. */
    page(filter: CountsFilter, after: CountPlace | null, limit: number): StatedCount[] {
      const start = { day: filter.from, tool: '', provider: '', model: '', device: '' };
      const read = filter.device_id === null ? page : pageOfDevice;
      const { operator_id, device_id, to } = filter;
      const place = after ?? start;
      const span = daysOf({ operator_id, from: place.day, to });
      return read({ ...span, device_id, ...place, limit }).map((row) => {
        const { device, label, stated_at, submission } = row;
        return { ...statedOf(row), device, label, stated_at, submission };
      });
    },
    /** How many daily counts in a part of the account were signed, by all devices or by one. */
    total: ({ device_id, ...of }: BucketPart & Pick<CountsFilter, 'device_id'>) =>
      total({ ...endsOf(of), device_id }),
    /** The daily counts in a part of the account that count only in part or not at all. */
    shared: (of: BucketPart) => shared(endsOf(of)),
  };
}
