import type { DailyPublication } from '#db/daily-standings.ts';
import type { Store } from '#db/store.ts';
import { DEFAULT_VIEW } from '#core/domain/board-path.ts';
import { dailyPlace } from '#core/domain/daily-standing.ts';
import type { FeedPlace } from '#core/domain/feed-item.ts';
import { shownDisplayName } from '#core/domain/visibility.ts';
import { RecentMemo } from '../recent-memo.ts';
import { storedSlice } from './columns.ts';

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

/** Days of which it is remembered who stood in front: that never changes, and a large board takes long to read. */
const MAX_DAYS = 32;
const leading = new RecentMemo<Store, Leading>(MAX_DAYS);

/** The front page's board of a day that was kept, by the rule of `front-board.ts`, with those who may be seen now. */
export function readDailyFront(store: Store, publication: DailyPublication): DailyFront {
  const { day } = publication;
  const { tool, operators } = leading.read(store, day, () => readLeading(store, publication));
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

function readLeading(store: Store, publication: DailyPublication): Leading {
  const { day } = publication;
  let most = 0;
  let front: string | null = null;
  for (const tool of publication.tools) {
    const total = store.dailyStandings.rankedTotal(day, boardOf(publication, tool));
    if (total <= most) continue;
    most = total;
    front = tool;
  }
  const operators = store.dailyStandings.leaders(day, boardOf(publication, front), LOOKED_AT);
  return { tool: front, operators };
}

function boardOf(publication: DailyPublication, tool: string | null) {
  const { window, metric } = DEFAULT_VIEW;
  return { window, metric, ...sliceOf(publication, tool) };
}

function sliceOf(publication: DailyPublication, tool: string | null) {
  return storedSlice({ tool, trust: DEFAULT_VIEW.trust }, publication);
}
