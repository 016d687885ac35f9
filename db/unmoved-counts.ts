/**
 * Daily counts that an earlier version stored. They move to `daily_counts` in small steps while the board serves. At
 * any moment, each is in exactly one of the two tables.
 */
import type { Database } from 'better-sqlite3';
import { dayNumber } from '#core/domain/counting/day.ts';
import { monthOf } from '#core/domain/counting/usage-block.ts';
import { COUNTS } from './bucket-rows.ts';
import type { Move } from './engine/moves.ts';
import { writeTransaction } from './engine/write-lock.ts';
import { statementsIn } from './statements.ts';
import { usageBlocksIn } from './usage-blocks.ts';

/** The daily counts that a step moves, if no day has more: about 8 ms. */
const STEP_ROWS = 500;

/** Sorts after every day. */
const LAST_DAY = '~';

interface MovedDays {
  rows: number;
  months: number[];
}

const IN_SPAN = 'u.operator_id = @operator_id AND u.day BETWEEN @from AND @to';
const MOVED = COUNTS.split(',').map((name) => name.trim());

export function unmovedCountsIn(db: Database) {
  const sql = statementsIn(db);
  const blocks = usageBlocksIn(db);
  const has = sql.has<(operator_id: number) => boolean>(
    'SELECT 1 FROM unmoved_buckets WHERE operator_id = ?',
  );
  const first = sql.value<() => number | undefined>(
    'SELECT operator_id FROM unmoved_buckets ORDER BY operator_id LIMIT 1',
  );
  const dayOfRow = sql.value<(of: object) => string | undefined>(`
    SELECT day FROM unmoved_buckets WHERE operator_id = @operator_id
    ORDER BY day LIMIT 1 OFFSET @rows - 1`);
  const days = sql.values<(of: object) => string[]>(
    `SELECT DISTINCT day FROM unmoved_buckets u WHERE ${IN_SPAN}`,
  );
  const nameSources = sql.run<(of: object) => void>(`
    INSERT INTO sources (operator_id, source, tool, provider, model)
    SELECT @operator_id, row_number() OVER () +
      (SELECT coalesce(max(source), -1) FROM sources WHERE operator_id = @operator_id),
      tool, provider, model
    FROM (
      SELECT tool, provider, model FROM unmoved_buckets u WHERE ${IN_SPAN}
      EXCEPT SELECT tool, provider, model FROM sources WHERE operator_id = @operator_id)`);
  const copy = sql.changes<(of: object) => number>(`
    INSERT INTO daily_counts (operator_id, day, source, device_id, log_index, ${COUNTS})
    SELECT u.operator_id, unixepoch(u.day) / 86400, s.source, u.device_id, u.log_index,
      ${MOVED.map((name) => `u.${name}`).join(', ')}
    FROM unmoved_buckets u CROSS JOIN sources s ON s.operator_id = u.operator_id
      AND s.tool = u.tool AND s.provider = u.provider AND s.model = u.model
    WHERE ${IN_SPAN}`);
  const removeEqual = sql.changes<(of: object) => number>(`
    DELETE FROM unmoved_buckets AS u WHERE ${IN_SPAN} AND EXISTS (
      SELECT 1 FROM sources s CROSS JOIN daily_counts c ON c.operator_id = s.operator_id
        AND c.day = unixepoch(u.day) / 86400 AND c.source = s.source AND c.device_id = u.device_id
      WHERE s.operator_id = u.operator_id
        AND (s.tool, s.provider, s.model) = (u.tool, u.provider, u.model)
        AND date(c.day * 86400, 'unixepoch') = u.day
        AND ${['log_index', ...MOVED].map((name) => `c.${name} IS u.${name}`).join(' AND ')})`);

  /** Moves some days of an operator. A daily count is removed only if its copy is equal. */
  function moveSpan(operator_id: number, from: string, to: string): MovedDays {
    const span = { operator_id, from, to };
    const moved = days(span);
    nameSources(span);
    const rows = copy(span);
    if (removeEqual(span) !== rows || days(span).length > 0) {
      throw new Error(`Some daily counts of operator ${operator_id} differ from their copies`);
    }
    return { rows, months: moved.map((day) => monthOf(dayNumber(day))) };
  }

  return {
    /**
     * Moves an operator's daily counts of some days. Call it inside a transaction that then packs the returned months
     * again.
     */
    moveDays: (operator_id: number, of: Iterable<string>): number[] =>
      has(operator_id) ? [...of].flatMap((day) => moveSpan(operator_id, day, day).months) : [],
    /** Moves the next daily counts, and packs their months. Returns false if none are left. */
    moveNext(): boolean {
      for (let moved = 0; moved < STEP_ROWS;) {
        const operator_id = first();
        if (operator_id === undefined) return false;
        const last = dayOfRow({ operator_id, rows: STEP_ROWS - moved });
        const { rows, months } = moveSpan(operator_id, '', last ?? LAST_DAY);
        blocks.refresh(operator_id, new Set(months));
        moved += rows;
      }
      return true;
    },
  };
}

/** The move of all daily counts. */
export function countsMoveIn(db: Database): Move {
  const { moveNext } = unmovedCountsIn(db);
  return {
    name: 'daily_counts',
    left: statementsIn(db).value<() => number>('SELECT count(*) FROM unmoved_buckets'),
    step: () => writeTransaction(db, moveNext),
  };
}
