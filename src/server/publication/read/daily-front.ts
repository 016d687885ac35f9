import type { DailyPublication, OperatorRange } from '#db/daily-standings.ts';
import type { Store } from '#db/store.ts';
import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import { dailyPlace } from '#core/domain/board/daily-standing.ts';
import type { FeedPlace } from '#core/domain/board/feed-item.ts';
import { shownDisplayName } from '#core/domain/board/visibility.ts';
import { RecentMemo } from '#server/process/recent-memo.ts';
import { anotherTurn } from '#server/process/yield-to-event-loop.ts';
import { storedSlice } from './columns.ts';
import { busiestTool } from './front-board.ts';

/** The first places of the board that the front page opened on at the end of a day. */
export interface DailyFront {
  /** Null for all tools together. */
  tool: string | null;
  /** Best first; who may not be seen now is left out. */
  entries: FeedPlace[];
}

/** Who stood in front, whether seen now or not. */
interface Leading {
  tool: string | null;
  operators: readonly number[];
}

/** Places that are looked at, so that those who are shown can be others' whom nobody sees any more. */
const LOOKED_AT = 50;
const SHOWN = 10;

/** Days of which it is remembered who stood in front: that changes with none of their publications, and a large board takes long to read. */
const MAX_DAYS = 32;
const leading = new RecentMemo<Store, Leading>(MAX_DAYS);

/** The front page's board of a day that was kept, by the rule of `front-board.ts`, with those who may be seen now. */
export async function readDailyFront(
  store: Store,
  publication: DailyPublication,
): Promise<DailyFront> {
  const { day, log_index } = publication;
  const make = () => readLeading(store, publication);
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

async function readLeading(store: Store, publication: DailyPublication): Promise<Leading> {
  const { day, tools } = publication;
  const { dailyStandings } = store;
  const totals = new Map<string, number>();
  for (const tool of tools) {
    const board = boardOf(publication, tool);
    const parts = await inTurns(dailyStandings.lastOperator(day, board), (among) => {
      return dailyStandings.rankedTotal(day, board, among);
    });
    totals.set(
      tool,
      parts.reduce((sum, part) => sum + part, 0),
    );
  }
  const tool = busiestTool(tools, (one) => totals.get(one) ?? 0);
  const board = boardOf(publication, tool);
  const leaders = await inTurns(dailyStandings.lastOperator(day, board), (among) => {
    return dailyStandings.leaders(day, board, LOOKED_AT, among);
  });
  const operators = leaders.flat().sort((a, b) => a.place - b.place);
  return { tool, operators: operators.map(({ operator_id }) => operator_id) };
}

/** Ids of operators that are looked at in one turn, a few milliseconds. */
const IDS_A_TURN = 5_000;

/** Reads something of all operators, of some of them each turn of the event loop. */
async function inTurns<Part>(
  lastOperator: number,
  read: (among: OperatorRange) => Part,
): Promise<Part[]> {
  const parts: Part[] = [];
  for (let first = 1; first <= lastOperator; first += IDS_A_TURN) {
    await anotherTurn();
    parts.push(read({ first, last: first + IDS_A_TURN - 1 }));
  }
  return parts;
}

function boardOf(publication: DailyPublication, tool: string | null) {
  const { window, metric } = DEFAULT_VIEW;
  return { window, metric, ...sliceOf(publication, tool) };
}

function sliceOf(publication: DailyPublication, tool: string | null) {
  return storedSlice({ tool, trust: DEFAULT_VIEW.trust }, publication);
}
