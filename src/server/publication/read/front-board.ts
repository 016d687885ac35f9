import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { chunkOf, type DayChunk } from '#core/domain/board/day-chunk.ts';
import { boardAt } from '#core/domain/board/day-row.ts';
import type { FeedPlace } from '#core/domain/board/feed-item.ts';
import { shownDisplayName } from '#core/domain/board/visibility.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { DailyPublication } from '#db/kept-days.ts';
import type { Store } from '#db/store.ts';
import { RecentMemo } from '#server/process/recent-memo.ts';
import { runYielding } from '#server/process/yield-to-event-loop.ts';
import { storedSlice } from '../state/board-state.ts';
import type { Publication } from './publication.ts';

export interface FrontBoard {
  window: WindowName;
  metric: MetricName;
  /** Null for all tools together. */
  tool: string | null;
}

/** So few ranked operators are shown together, whatever tool they use. */
const FEW = 10;

/** The board of the tool with most ranked operators, because tools count input differently. */
export function frontBoard(publication: Pick<Publication, 'tools' | 'window'>): FrontBoard {
  const { window, metric, trust } = DEFAULT_VIEW;
  const tool = busiestTool(publication.tools, (one) => {
    return publication.window(window, { tool: one, trust }).total(metric);
  });
  return { window, metric, tool };
}

/**
 * The tool with most ranked operators, or the first of several. Returns null, which means all tools together, if few
 * operators are ranked by each tool.
 *
 * @param totalOf How many operators are ranked by a tool.
 */
function busiestTool(tools: readonly string[], totalOf: (tool: string) => number): string | null {
  let most = FEW - 1;
  let busiest: string | null = null;
  for (const tool of tools) {
    const total = totalOf(tool);
    if (total <= most) continue;
    most = total;
    busiest = tool;
  }
  return busiest;
}

/** The operators who led, whether they are public now or not. */
interface Leading {
  tool: string | null;
  operators: readonly number[];
}

/** Places that are read, so that enough remain if some operators are no longer public. */
const LOOKED_AT = 50;
const SHOWN = 10;

/** Days for which the leaders are cached. Publications do not change them, and a large board is slow to read. */
const MAX_DAYS = 32;
const leading = new RecentMemo<Store, Leading>(MAX_DAYS);

/** The leaders of the front page's board on a stored day, best first, among operators who may be shown now. */
export async function readDailyFront(store: Store, publication: DailyPublication) {
  const { day, log_index } = publication;
  const make = () => runYielding(findLeading(store, publication));
  const { tool, operators } = await leading.readLater(store, `${day} ${log_index}`, make);
  const slice = sliceOf(publication, tool);
  const { keptDays } = store;
  const shown = operators.flatMap((id) => keptDays.namedOne(id) ?? []).slice(0, SHOWN);
  const entries = shown.flatMap((named) => {
    return entryOf(named, keptDays.chunk(day, slice, chunkOf(named.operator_id)));
  });
  return { tool, entries };
}

type NamedOperator = ReturnType<Store['keptDays']['named']>[number];

function entryOf(
  { operator_id, codename, display_name, privacy_mode }: NamedOperator,
  chunk: DayChunk | null,
): FeedPlace[] {
  const { window, metric } = DEFAULT_VIEW;
  const {
    rank = null,
    value = null,
    interval = null,
  } = chunk?.place(operator_id, window, metric) ?? {};
  if (rank === null) return [];
  const shown = shownDisplayName({ privacy_mode, display_name });
  return [{ rank, codename, display_name: shown, value, interval }];
}

interface Leader {
  operator_id: number;
  place: number;
}

interface Ranked {
  total: number;
  leaders: Leader[];
}

/** Finds the leaders in steps of a few milliseconds. */
function* findLeading(store: Store, publication: DailyPublication): Generator<void, Leading> {
  const { day, tools } = publication;
  const found = new Map<string, Ranked>();
  for (const one of tools) found.set(one, yield* rankedBy(store, day, sliceOf(publication, one)));
  const tool = busiestTool(tools, (one) => found.get(one)?.total ?? 0);
  const { leaders } =
    found.get(tool ?? '') ?? (yield* rankedBy(store, day, sliceOf(publication, null)));
  leaders.sort((a, b) => a.place - b.place);
  return { tool, operators: leaders.map(({ operator_id }) => operator_id) };
}

/** Chunks examined in one step. */
const CHUNKS_A_STEP = 16;

/** How many operators are ranked in a slice, and those with the first places. */
function* rankedBy({ keptDays }: Store, day: string, slice: BoardSlice): Generator<void, Ranked> {
  const board = boardAt(DEFAULT_VIEW.window, DEFAULT_VIEW.metric);
  const leaders: Leader[] = [];
  let total = 0;
  for (const [step, number] of keptDays.chunks(day, slice).entries()) {
    if (step % CHUNKS_A_STEP === 0) yield;
    const places = keptDays.chunk(day, slice, number, false)?.places;
    places?.operators.forEach((operator_id, row) => {
      const place = places.place(row, board);
      if (place === 0) return;
      total += 1;
      if (place <= LOOKED_AT) leaders.push({ operator_id, place });
    });
  }
  return { total, leaders };
}

function sliceOf(publication: DailyPublication, tool: string | null) {
  return storedSlice({ tool, trust: DEFAULT_VIEW.trust }, publication);
}
