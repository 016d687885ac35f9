/**
 * The boards in the public log: the newest publication that matches the current visibility of all operators, and the
 * stored days.
 */
import type { LoggedOperator } from '#db/public-log.ts';
import type { Store } from '#db/store.ts';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { chunkOf, chunksOf, DayChunk } from '#core/domain/board/day-chunk.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { NewLine } from '#core/domain/log/public-log-line.ts';
import { sliceKey, slicesOf } from '#core/domain/board/slices.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import type { BoardLine, StandingLine, StatedPlace } from '#core/schema/public-log.ts';
import { dayRows } from '../publication/project/day-rows.ts';
import { seenNames, showsOnlyNames } from '../publication/read/shows-only-seen.ts';
import { readPublications } from '../publication/stored/stored-publications.ts';

/** A board to write, with access to each operator's stored values in a slice. */
export interface LoggedBoard extends Pick<
  BoardLine,
  'as_of' | 'kept' | 'log_index' | 'ruleset' | 'self_reported' | 'tools'
> {
  /** The chunk with an operator; null if it has no rows in the slice. */
  chunkWith(slice: BoardSlice, operator_id: number): DayChunk | null;
  /** How many public operators had a row in a slice. */
  rowsIn(slice: BoardSlice): number;
}

export type StoredBoards = Pick<Store, 'keptDays' | 'operators' | 'publicLog' | 'publications'>;

/** Returns a stored day's board; null if the day is not stored. */
export function dailyBoard(store: StoredBoards, day: string): LoggedBoard | null {
  const kept = store.keptDays.publication(day);
  if (!kept) return null;
  const { log_index, ruleset, tools, self_reported } = kept;
  return {
    kept: 'daily',
    as_of: day,
    log_index,
    ruleset,
    tools,
    self_reported,
    chunkWith: chunksOfOneSlice((slice, chunk) => store.keptDays.chunk(day, slice, chunk)),
    rowsIn: (slice) => store.publicLog.rows(day, slice),
  };
}

/**
 * Reads the newest publication into memory, because it may be deleted before the file is complete. Returns null if no
 * publication matches the current visibility of all operators.
 */
export function currentBoard(store: StoredBoards): LoggedBoard | null {
  const names = seenNames(store);
  for (const { data } of readPublications(store).reverse()) {
    const { head, state } = data;
    if (!showsOnlyNames(state, names)) continue;
    const { log_index, as_of, ruleset } = head;
    const { tools, self_reported } = state;
    const slices = new Map<string, Map<number, DayChunk>>();
    for (const slice of slicesOf(state)) {
      const chunks = Array.from(chunksOf(dayRows(state, slice)), (packed) => {
        return [packed.chunk, new DayChunk(packed)] as const;
      });
      slices.set(sliceKey(slice), new Map(chunks));
    }
    const chunksIn = (slice: BoardSlice) =>
      slices.get(sliceKey(slice)) ?? new Map<number, DayChunk>();
    return {
      kept: 'current',
      as_of,
      log_index,
      ruleset,
      tools,
      self_reported,
      chunkWith: (slice, operator_id) => chunksIn(slice).get(chunkOf(operator_id)) ?? null,
      rowsIn: (slice) => {
        return chunksIn(slice)
          .values()
          .reduce((sum, { places }) => sum + places.operators.length, 0);
      },
    };
  }
  return null;
}

/**
 * Reads chunks, and keeps those of the last slice, because its operators are read in the order of their names.
 *
 * @param read Reads a chunk; null if it has no rows.
 */
function chunksOfOneSlice(read: (slice: BoardSlice, chunk: number) => DayChunk | null) {
  let open = '';
  let chunks = new Map<number, DayChunk | null>();
  return (slice: BoardSlice, operator_id: number) => {
    if (open !== sliceKey(slice)) chunks = new Map();
    open = sliceKey(slice);
    const number = chunkOf(operator_id);
    const chunk = chunks.has(number) ? (chunks.get(number) ?? null) : read(slice, number);
    chunks.set(number, chunk);
    return chunk;
  };
}

/** Yields the boards of these days and the current one, in log order. Past days come first. */
export function* boardsInLogOrder(
  store: StoredBoards,
  days: readonly string[],
  current: LoggedBoard | null,
): Generator<LoggedBoard, undefined> {
  let last = current;
  for (const day of days) {
    const board = dailyBoard(store, day);
    if (!board) continue;
    if (last && last.log_index < board.log_index) {
      yield last;
      last = null;
    }
    yield board;
  }
  if (last) yield last;
}

/** Yields a board's lines. Rows are ordered by name, so that the order does not reveal who was on the board before. */
export function* linesOfBoard(
  board: LoggedBoard,
  operators: readonly LoggedOperator[],
): Generator<NewLine> {
  const { chunkWith, rowsIn, ...head } = board;
  const slices = slicesOf(board);
  const rows = slices.reduce((sum, slice) => sum + rowsIn(slice), 0);
  yield { line: 'board', ...pickHead(head), rows };
  for (const slice of slices) {
    for (const operator of operators) {
      const chunk = chunkWith(slice, operator.id);
      if (chunk?.places.rowOf(operator.id) != null) yield standingLine(slice, operator, chunk);
    }
  }
}

/** In the order of the line's schema. */
function pickHead(head: Omit<LoggedBoard, 'chunkWith' | 'rowsIn'>) {
  const { kept, as_of, log_index, ruleset, tools, self_reported } = head;
  return { kept, as_of, log_index, ruleset, tools, self_reported };
}

function standingLine(
  { trust, tool }: BoardSlice,
  { id, public_name, public_id, takes_part }: LoggedOperator,
  chunk: DayChunk,
): NewLine {
  const windows: Partial<Record<string, Record<string, StatedPlace>>> = {};
  for (const window of WINDOWS) {
    const places = METRIC_NAMES.map((metric): [string, StatedPlace | null] => {
      const place = chunk.place(id, window, metric);
      const [low, high] = place?.interval ?? [null, null];
      return [metric, place && [place.rank, place.value, low, high]];
    });
    if (places.every(([, place]) => place !== null)) {
      windows[window] = Object.fromEntries(places) as Record<string, StatedPlace>;
    }
  }
  return {
    line: 'standing',
    trust,
    tool,
    name: public_name,
    operator: takes_part ? public_id : null,
    windows: windows as StandingLine['windows'],
  };
}
