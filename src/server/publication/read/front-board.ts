import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import { dailyPlace } from '#core/domain/board/daily-standing.ts';
import type { FeedPlace } from '#core/domain/board/feed-item.ts';
import { shownDisplayName } from '#core/domain/board/visibility.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { DailyPublication, OperatorRange } from '#db/daily-standings.ts';
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

/** The board of the tool with most ranked operators, because tools count input differently. */
export function frontBoard(publication: Pick<Publication, 'tools' | 'window'>): FrontBoard {
  const { window, metric, trust } = DEFAULT_VIEW;
  const tool = busiestTool(publication.tools, (one) => {
    return publication.window(window, { tool: one, trust }).total(metric);
  });
  return { window, metric, tool };
}

/**
 * The tool with most ranked operators, or the first of several. Returns null, which means all tools together, if no
 * operator is ranked by a tool.
 *
 * @param totalOf How many operators are ranked by a tool.
 */
function busiestTool(tools: readonly string[], totalOf: (tool: string) => number): string | null {
  let most = 0;
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
  const rows = operators.flatMap((id) => store.dailyStandings.ofOne(day, slice, id) ?? []);
  return { tool, entries: rows.flatMap(entryOf).slice(0, SHOWN) };
}

type NamedRow = NonNullable<ReturnType<Store['dailyStandings']['ofOne']>>;

function entryOf({ codename, display_name, privacy_mode, body }: NamedRow): FeedPlace[] {
  const { rank, value, interval } =
    dailyPlace(body, DEFAULT_VIEW.window, DEFAULT_VIEW.metric) ?? {};
  if (!rank) return [];
  const shown = shownDisplayName({ privacy_mode, display_name });
  return [
    { rank, codename, display_name: shown, value: value ?? null, interval: interval ?? null },
  ];
}

/** Finds the leaders in steps of a few milliseconds. */
function* findLeading(store: Store, publication: DailyPublication): Generator<void, Leading> {
  const { day, tools } = publication;
  const { dailyStandings } = store;
  const totals = new Map<string, number>();
  for (const tool of tools) {
    const board = boardOf(publication, tool);
    for (const among of rangesUpTo(dailyStandings.lastOperator(day, board))) {
      totals.set(tool, (totals.get(tool) ?? 0) + dailyStandings.rankedTotal(day, board, among));
      yield;
    }
  }
  const tool = busiestTool(tools, (one) => totals.get(one) ?? 0);
  const board = boardOf(publication, tool);
  const leaders: ReturnType<typeof dailyStandings.leaders> = [];
  for (const among of rangesUpTo(dailyStandings.lastOperator(day, board))) {
    leaders.push(...dailyStandings.leaders(day, board, LOOKED_AT, among));
    yield;
  }
  leaders.sort((a, b) => a.place - b.place);
  return { tool, operators: leaders.map(({ operator_id }) => operator_id) };
}

/** Operators examined in one step. */
const IDS_A_STEP = 5_000;

function* rangesUpTo(lastOperator: number): Generator<OperatorRange> {
  for (let first = 1; first <= lastOperator; first += IDS_A_STEP) {
    yield { first, last: first + IDS_A_STEP - 1 };
  }
}

function boardOf(publication: DailyPublication, tool: string | null) {
  const { window, metric } = DEFAULT_VIEW;
  return { window, metric, ...sliceOf(publication, tool) };
}

function sliceOf(publication: DailyPublication, tool: string | null) {
  return storedSlice({ tool, trust: DEFAULT_VIEW.trust }, publication);
}
