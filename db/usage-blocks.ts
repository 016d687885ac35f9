import { isDeepStrictEqual } from 'node:util';
import type { Database } from 'better-sqlite3';
import {
  type BlockRow,
  encodeUsage,
  firstDayOfMonth,
  monthOf,
} from '#core/domain/counting/usage-block.ts';
import { statementsIn } from './statements.ts';

/** The most daily counts of a block, because each change writes a month's block again. */
export const MAX_BLOCK_ROWS = 2_000;

interface UsageBlock {
  month: number;
  /** Null if the month has more than {@linkcode MAX_BLOCK_ROWS} daily counts that count. */
  body: Uint8Array | null;
}

/** Writes the packed months that {@linkcode usageIn} reads. */
export function usageBlocksIn(db: Database) {
  const sql = statementsIn(db);
  const rows = blockRowsIn(db);
  const put = sql.run<(of: object) => void>(`
    INSERT INTO usage_blocks (operator_id, month, body) VALUES (@operator_id, @month, @body)
    ON CONFLICT DO UPDATE SET body = excluded.body`);
  const remove = sql.run<(of: object) => void>(`
    DELETE FROM usage_blocks WHERE operator_id = @operator_id AND month = @month`);
  const days = sql.values<(operator_id: number) => number[]>(DAYS);

  const blocks = {
    /** Packs some months of an operator. Call it inside each transaction that changes what counts in them. */
    refresh(operator_id: number, months: Iterable<number>): void {
      for (const month of months) {
        const counting = rows(operator_id, month);
        if (counting.length === 0) remove({ operator_id, month });
        else put({ operator_id, ...packed(month, counting) });
      }
    },
    /** Packs all months again. The order of the daily counts in a month depends on their devices. */
    refreshAll(operator_id: number): void {
      blocks.refresh(operator_id, new Set(days(operator_id).map(monthOf)));
    },
  };
  return blocks;
}

/** Compares the packed months of an operator with its daily counts. */
export function usageBlockChecksIn(db: Database) {
  const sql = statementsIn(db);
  const rows = blockRowsIn(db);
  const stored = sql.all<(operator_id: number) => UsageBlock[]>(`
    SELECT month, body FROM usage_blocks WHERE operator_id = ?`);
  const days = sql.values<(operator_id: number) => number[]>(DAYS);

  /** The months whose packed counts are missing, left over or different. */
  return (operator_id: number): number[] => {
    const blocks = new Map(stored(operator_id).map((block) => [block.month, block]));
    const months = new Set([...blocks.keys(), ...days(operator_id).map(monthOf)]);
    return [...months].filter((month) => {
      const counting = rows(operator_id, month);
      const block = blocks.get(month);
      if (counting.length === 0 || !block) return counting.length > 0 || block !== undefined;
      return !isDeepStrictEqual(
        block.body && new Uint8Array(block.body),
        packed(month, counting).body,
      );
    });
  };
}

const DAYS = 'SELECT DISTINCT day FROM daily_counts WHERE operator_id = ?';

function blockRowsIn(db: Database) {
  const sql = statementsIn(db);
  const selfReporter = sql.value<(operator_id: number) => number | undefined>(`
    SELECT id FROM devices WHERE operator_id = ? AND trust = 'self_reported'`);
  // Without the plus, SQLite would prepare the statement again for each operator, because of the order.
  const rows = sql.tuples<(of: object) => BlockRow[]>(`
    SELECT day, source, device_id IS @self_reporter, input, output, cache_write, cache_read
    FROM daily_counts WHERE operator_id = +@operator_id AND day BETWEEN @first AND @last AND counts = 1
    ORDER BY day, source, device_id LIMIT ${MAX_BLOCK_ROWS + 1}`);
  return (operator_id: number, month: number) => {
    const self_reporter = selfReporter(operator_id) ?? null;
    const [first, last] = [firstDayOfMonth(month), firstDayOfMonth(month + 1) - 1];
    return rows({ operator_id, self_reporter, first, last });
  };
}

function packed(month: number, rows: readonly BlockRow[]): UsageBlock {
  return { month, body: rows.length > MAX_BLOCK_ROWS ? null : encodeUsage(month, rows) };
}
