import type { Database } from 'better-sqlite3';
import type { Trust } from '#core/schema/submission.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { Operator } from './operators.ts';
import type { BucketPlace } from './bucket-parts.ts';

/** An operator whose records anyone with a key may have, as it was last changed by `log_index`. */
export type CorpusOperator = Pick<
  Operator,
  'id' | 'log_index' | 'privacy_mode' | 'public_id' | 'public_name'
>;

/** A bucket that counts, and whether a device signed it. */
export type CorpusBucket = Bucket & BucketPlace & { trust: Trust };

/** Some of an operator's buckets: those behind a place, or behind so many. */
export interface CorpusPage {
  behind: BucketPlace | number;
  limit: number;
}

/** Who is shown openly and has not opted out. */
const TAKES_PART = 'is_open = 1 AND public_name IS NOT NULL AND data_opt_out = 0';

const BUCKETS = `SELECT day, tool, device_id, provider, model, input, output, cache_write, cache_read,
    (SELECT trust FROM devices WHERE id = device_id) AS trust
  FROM buckets WHERE operator_id = @operator_id AND counts = 1`;
const IN_ORDER = 'ORDER BY day, tool, device_id, provider, model LIMIT @limit';

/** The records that are handed out for research and reuse. */
export function corpusIn(db: Database) {
  const operators = db.prepare(
    `SELECT id, public_id, public_name, privacy_mode, log_index FROM operators
     WHERE log_index > @after AND ${TAKES_PART} ORDER BY log_index LIMIT @limit`,
  );
  const takesPart = db
    .prepare(`SELECT 1 FROM operators WHERE id = @id AND log_index = @log_index AND ${TAKES_PART}`)
    .pluck();
  const first = db.prepare(`${BUCKETS} ${IN_ORDER} OFFSET @skipped`);
  const further = db.prepare(
    `${BUCKETS} AND (day, tool, device_id, provider, model)
       > (@day, @tool, @device_id, @provider, @model) ${IN_ORDER}`,
  );

  return {
    /** Those whose last change stands behind a place in the log, in its order. */
    operators: (after: number, limit: number) =>
      operators.all({ after, limit }) as CorpusOperator[],
    /** Whether an operator still takes part and nothing of it has changed. */
    takesPart: ({ id, log_index }: CorpusOperator) => takesPart.get({ id, log_index }) === 1,
    /** Some of an operator's buckets that count, in an order that only a change of them changes. */
    buckets(operator_id: number, { behind, limit }: CorpusPage) {
      const rows =
        typeof behind === 'number'
          ? first.all({ operator_id, limit, skipped: behind })
          : further.all({ operator_id, limit, ...behind });
      return rows as CorpusBucket[];
    },
  };
}
