import type { Database } from 'better-sqlite3';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { TILE_WIDTH } from '#core/domain/tlog/tile.ts';
import { CHUNK_OPERATORS } from '#core/domain/board/day-chunk.ts';
import { columnsOf } from './kept-chunks.ts';
import type { LogEntryRow } from './log.ts';
import { statementsIn } from './statements.ts';

export interface LoggedOperator {
  id: number;
  public_id: string;
  public_name: string;
  /** Whether the public log shows the operator's submissions: the operator is public and has not opted out. */
  takes_part: 0 | 1;
}

/** A stored entry, and for a submission the answer to its sender, as JSON. */
export type PublicLogEntry = LogEntryRow & { answer: string | null };

/** A condition on operators that decides whether the public log shows their submissions. */
export const TAKES_PART = 'public_name IS NOT NULL AND is_open = 1 AND data_opt_out = 0';

export function publicLogIn(db: Database) {
  const sql = statementsIn(db);
  const rows = sql.value<(of: object) => number>(`
    SELECT (SELECT count(*) FROM day_places p JOIN operators o
        ON o.id BETWEEN p.chunk * ${CHUNK_OPERATORS} AND p.chunk * ${CHUNK_OPERATORS} + ${CHUNK_OPERATORS - 1}
      WHERE p.day = @day AND p.tool = @tool AND p.trust = @trust AND o.public_name IS NOT NULL
        AND instr(p.members, unhex(printf('%02x', o.id % ${CHUNK_OPERATORS}))) > 0)
    + (SELECT count(*) FROM daily_standings s CROSS JOIN operators o ON o.id = s.operator_id
      WHERE s.day = @day AND s.tool = @tool AND s.trust = @trust AND o.public_name IS NOT NULL)`);

  return {
    operators: sql.all<() => LoggedOperator[]>(`
      SELECT id, public_id, public_name, ${TAKES_PART} AS takes_part
      FROM operators WHERE public_name IS NOT NULL ORDER BY public_name`),
    /** The first entry after a log index. Entries are large, so read one at a time. */
    next: sql.get<(after: number) => PublicLogEntry | undefined>(`
      SELECT e.*, (SELECT answer FROM submissions s WHERE s.log_index = e.log_index) AS answer
      FROM log_entries e WHERE log_index > ? ORDER BY log_index LIMIT 1`),
    /** An entry, and whether the public log shows its payload now. */
    at: sql.get<(log_index: number) => (PublicLogEntry & { is_shown: 0 | 1 }) | undefined>(`
      SELECT e.*, (SELECT answer FROM submissions s WHERE s.log_index = e.log_index) AS answer,
        operator_id IS NULL OR EXISTS (
          SELECT 1 FROM operators WHERE id = e.operator_id AND ${TAKES_PART}) AS is_shown
      FROM log_entries e WHERE log_index = ?`),
    /** The indexes of the entries in a range whose payloads the public log shows now. */
    shownIn: sql.values<(after: number, last: number) => number[]>(`
      SELECT log_index FROM log_entries e WHERE log_index > ? AND log_index <= ?
        AND salt IS NOT NULL AND (operator_id IS NULL OR EXISTS (
          SELECT 1 FROM operators WHERE id = e.operator_id AND ${TAKES_PART}))
      ORDER BY log_index`),
    /** Operators whose visibility may have changed since an entry, except those that were deleted. */
    seenOtherwiseSince: sql.values<(log_index: number) => number[]>(`
      SELECT DISTINCT operator_id FROM log_entries WHERE log_index > ?
        AND operator_id IS NOT NULL AND kind IN ('hide', 'unhide', 'visibility')`),
    /**
     * What the log said of an operator's visibility up to an entry: the last payload, and whether an admin hid the
     * operator; and whether the public log shows the submissions now.
     */
    visibilityAt: sql.get<
      (
        operator_id: number,
        last: number,
      ) => {
        payload: Uint8Array | null;
        hiding: 'hide' | 'unhide' | null;
        is_shown: 0 | 1;
      }
    >(`
      SELECT (SELECT payload FROM log_entries WHERE operator_id = @operator_id
          AND log_index <= @last AND kind = 'visibility' ORDER BY log_index DESC LIMIT 1) AS payload,
        (SELECT kind FROM log_entries WHERE operator_id = @operator_id
          AND log_index <= @last AND kind IN ('hide', 'unhide') ORDER BY log_index DESC LIMIT 1) AS hiding,
        EXISTS (SELECT 1 FROM operators WHERE id = @operator_id AND ${TAKES_PART}) AS is_shown`),
    /** The numbers of the bundles with an operator's entries, up to an entry. */
    bundlesOf: sql.values<(operator_id: number, last: number) => number[]>(`
      SELECT DISTINCT (log_index - 1) / ${TILE_WIDTH} FROM log_entries
      WHERE operator_id = ? AND log_index <= ? ORDER BY 1`),
    /** Stored days whose boards are based on this many log entries, in order. */
    days: sql.values<(log_index: number) => string[]>(`
      SELECT day FROM daily_publications WHERE log_index <= ? ORDER BY log_index, day`),
    /** How many public operators were in a stored slice on a day. */
    rows: (day: string, slice: BoardSlice) => rows({ day, ...columnsOf(slice) }),
    /** Whether the visibility of an operator in the log has changed since an entry. */
    isSeenOtherwiseSince: sql.has<(log_index: number) => boolean>(`
      SELECT 1 FROM log_entries e WHERE log_index > @log_index AND (kind = 'erase'
        OR kind IN ('hide', 'unhide', 'visibility') AND EXISTS (
          SELECT 1 FROM log_entries b
          WHERE b.operator_id = e.operator_id AND b.log_index <= @log_index)) LIMIT 1`),
  };
}
