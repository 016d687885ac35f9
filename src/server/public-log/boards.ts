/**
 * The boards in the public log: the newest publication that matches the current visibility of all operators, and the
 * stored days.
 */
import type { LoggedOperator } from '#db/public-log.ts';
import type { Store } from '#db/store.ts';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { dailyPlace } from '#core/domain/board/daily-standing.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import type { NewLine } from '#core/domain/log/public-log-line.ts';
import { sliceKey, slicesOf } from '#core/domain/board/slices.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import type { BoardLine, StandingLine, StatedPlace } from '#core/schema/public-log.ts';
import { dailyRows } from '../publication/project/keep-days.ts';
import { seenNames, showsOnlyNames } from '../publication/read/shows-only-seen.ts';
import { readPublications } from '../publication/stored/stored-publications.ts';

/** A board to write, with access to each operator's stored values in a slice. */
export interface LoggedBoard extends Pick<
  BoardLine,
  'as_of' | 'kept' | 'log_index' | 'ruleset' | 'self_reported' | 'tools'
> {
  bodyOf(slice: BoardSlice, operator_id: number): Uint8Array | undefined;
  /** How many public operators had a row in a slice. */
  rowsIn(slice: BoardSlice): number;
}

export type StoredBoards = Pick<
  Store,
  'dailyStandings' | 'operators' | 'publicLog' | 'publications'
>;

/** Returns a stored day's board; null if the day is not stored. */
export function dailyBoard(store: StoredBoards, day: string): LoggedBoard | null {
  const kept = store.dailyStandings.publication(day);
  if (!kept) return null;
  const { log_index, ruleset, tools, self_reported } = kept;
  return {
    kept: 'daily',
    as_of: day,
    log_index,
    ruleset,
    tools,
    self_reported,
    bodyOf: (slice, operator_id) => store.publicLog.body(day, slice, operator_id),
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
    const bodies = new Map<string, Map<number, Uint8Array>>();
    for (const slice of slicesOf(state)) {
      const rows = dailyRows(state, slice);
      const byOperator = rows.map(({ operator_id, body }) => [operator_id, body] as const);
      bodies.set(sliceKey(slice), new Map(byOperator));
    }
    return {
      kept: 'current',
      as_of,
      log_index,
      ruleset,
      tools,
      self_reported,
      bodyOf: (slice, operator_id) => bodies.get(sliceKey(slice))?.get(operator_id),
      rowsIn: (slice) => bodies.get(sliceKey(slice))?.size ?? 0,
    };
  }
  return null;
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
  const { bodyOf, rowsIn, ...head } = board;
  const slices = slicesOf(board);
  const rows = slices.reduce((sum, slice) => sum + rowsIn(slice), 0);
  yield { line: 'board', ...pickHead(head), rows };
  for (const slice of slices) {
    for (const operator of operators) {
      const body = bodyOf(slice, operator.id);
      if (body) yield standingLine(slice, operator, body);
    }
  }
}

/** In the order of the line's schema. */
function pickHead(head: Omit<LoggedBoard, 'bodyOf' | 'rowsIn'>) {
  const { kept, as_of, log_index, ruleset, tools, self_reported } = head;
  return { kept, as_of, log_index, ruleset, tools, self_reported };
}

function standingLine(
  { trust, tool }: BoardSlice,
  { public_name, public_id, takes_part }: LoggedOperator,
  body: Uint8Array,
): NewLine {
  const windows: Partial<Record<string, Record<string, StatedPlace>>> = {};
  for (const window of WINDOWS) {
    const places = METRIC_NAMES.map((metric): [string, StatedPlace | null] => {
      const place = dailyPlace(body, window, metric);
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
