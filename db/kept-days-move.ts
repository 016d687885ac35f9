import type { Database } from 'better-sqlite3';
import { readDailyStanding, STANDING_WINDOW_BYTES } from '#core/domain/board/daily-standing.ts';
import { CHUNK_OPERATORS, chunkOf, type DayChunk } from '#core/domain/board/day-chunk.ts';
import { FROM_LONGEST } from '#core/domain/board/day-row.ts';
import type { Move } from './engine/moves.ts';
import { writeTransaction } from './engine/write-lock.ts';
import { keptChunksIn, packStandings, type StandingRow } from './kept-chunks.ts';
import { statementsIn } from './statements.ts';

/** Moves days with a row for each operator into chunks. */
export function keptDaysMoveIn(db: Database): Move {
  const sql = statementsIn(db);
  const chunks = keptChunksIn(db);
  const next = sql.get<
    () => { day: string; tool: string; trust: 'all' | 'signed'; operator_id: number } | undefined
  >('SELECT day, tool, trust, operator_id FROM daily_standings ORDER BY 1, 2, 3, 4 LIMIT 1');
  const of = `WHERE day = @day AND tool = @tool AND trust = @trust
    AND operator_id BETWEEN @chunk * ${CHUNK_OPERATORS}
      AND @chunk * ${CHUNK_OPERATORS} + ${CHUNK_OPERATORS - 1}`;
  const rowsOf = sql.all<(of: object) => StandingRow[]>(`
    SELECT operator_id, body FROM daily_standings ${of}
      AND operator_id IN (SELECT id FROM operators WHERE erasing_at IS NULL)
    ORDER BY operator_id`);
  const remove = sql.run<(of: object) => void>(`DELETE FROM daily_standings ${of}`);

  const moveChunk = (): boolean => {
    const first = next();
    if (!first) return false;
    const { day, tool, trust, operator_id } = first;
    const key = { day, tool, trust, chunk: chunkOf(operator_id) };
    const slice = { tool: tool === '' ? null : tool, trust };
    const rows = rowsOf(key);
    const packed = packStandings(rows);
    if (packed) chunks.add(day, slice, packed);
    remove(key);
    const stored = chunks.chunk(day, slice, key.chunk);
    if (!rows.every((row) => stored && isSame(row, stored))) throw new Error('A day is damaged');
    return true;
  };

  return {
    name: 'kept_days',
    left: sql.value<() => number>('SELECT count(*) FROM daily_standings'),
    step: () => writeTransaction(db, moveChunk),
  };
}

/** Whether a chunk has exactly the numbers of a row. */
function isSame({ operator_id, body }: StandingRow, { places, values }: DayChunk): boolean {
  const row = readDailyStanding(operator_id, body);
  const at = places.rowOf(operator_id);
  if (at === null || body.length !== row.windows * STANDING_WINDOW_BYTES) return false;
  const isPlaced = (_: number, board: number) =>
    places.hasTokens(at, board) === board % FROM_LONGEST.length < row.windows &&
    places.place(at, board) === row.places[board] &&
    places.rank(at, board) === row.ranks[board];
  const isValued = (value: number, column: number) =>
    Object.is(values?.number(at, column) ?? Number.NaN, value);
  return row.places.every(isPlaced) && row.values.every(isValued);
}
