/** Compares the boards of a public log with those that readers are shown. */
import { PAGE_LIMIT } from '#core/contract/limits.ts';
import type { Findings } from '#core/domain/log/log-finding.ts';
import { BoardAnswer } from '../board/answers.ts';
import type { BoardLine, PublicLogLine, StatedPlace } from '#core/schema/public-log.ts';
import { Refusal } from '../failure.ts';
import type { LiveBoard } from './live-log.ts';

export interface ShownBoard {
  as_of: string;
  kept: KeptPlaces['kept'];
  /** Rows that were compared; null if the board could not be. */
  rows: number | null;
  reason: string | null;
  /** What readers are shown otherwise than the file says. */
  differences: string[];
  /** Rows that only the file or only the board has: operators may have changed meanwhile how they are seen. */
  strangers: string[];
}

/**
 * Asks for the boards that the file holds.
 *
 * @throws {Failure} if the board cannot be asked.
 */
export async function askShown(
  live: LiveBoard,
  boards: readonly KeptPlaces[],
): Promise<ShownBoard[]> {
  const shown: ShownBoard[] = [];
  if (boards.length === 0) return shown;
  const now = await ask(live, {});
  for (const board of boards) shown.push(await compare(live, board, now));
  return shown;
}

/** @param mayBeStrangers Whether operators have changed since the file how they are seen. */
export function reportShown(
  boards: readonly ShownBoard[],
  mayBeStrangers: boolean,
  findings: Findings,
): void {
  for (const { as_of, kept, differences, strangers } of boards) {
    for (const what of mayBeStrangers ? differences : [...differences, ...strangers]) {
      const message = `readers of the ${kept} board of ${as_of} (${SHOWN.window} ${SHOWN.metric}) are shown otherwise: ${what}`;
      findings.add({ code: 'live_board', line: null, message, as_of });
    }
  }
}

async function compare(live: LiveBoard, board: KeptPlaces, now: BoardAnswer): Promise<ShownBoard> {
  const { as_of, kept, log_index } = board;
  const shown: ShownBoard = {
    as_of,
    kept,
    rows: null,
    reason: null,
    differences: [],
    strangers: [],
  };
  const isOfNow = kept === 'current' || now.as_of === as_of;
  if (isOfNow && !isThat(now, board)) {
    return { ...shown, reason: `the board of now is of entry ${now.log_index}` };
  }
  try {
    const query = isOfNow ? {} : { as_of };
    const first = isOfNow ? now : await ask(live, query);
    if (isThat(first, board)) return await comparePages(live, board, { shown, first, query });
    const what = `it is of entry ${first.log_index} of ${first.as_of} and not of entry ${log_index}`;
    return { ...shown, differences: [what] };
  } catch (error) {
    const code = refusalOf(error);
    if (code === 'cursor_expired') return { ...shown, reason: 'it changed while it was read' };
    if (code === 'as_of_unavailable') return { ...shown, differences: ['there is none'] };
    throw error;
  }
}

function refusalOf(error: unknown): string | null {
  return error instanceof Refusal ? error.code : null;
}

function isThat(answer: BoardAnswer, { as_of, log_index }: KeptPlaces): boolean {
  return answer.as_of === as_of && answer.log_index === log_index;
}

async function comparePages(
  live: LiveBoard,
  { places }: KeptPlaces,
  { shown, first, query }: { shown: ShownBoard; first: BoardAnswer; query: Record<string, string> },
): Promise<ShownBoard> {
  const left = new Map(places);
  let page = first;
  let rows = 0;
  let above = 0;
  for (;;) {
    for (const entry of page.entries) {
      const name = entry.codename;
      const stated = left.get(name);
      left.delete(name);
      if (stated) shown.differences.push(...differencesOf(entry, stated));
      else shown.strangers.push(`the row of ${name} is not in the file`);
      if (entry.rank < above) shown.differences.push(`${name} stands below rank ${above}`);
      above = entry.rank;
    }
    rows += page.entries.length;
    // A board cannot have many more rows than the file; one that never ends is not read to its end.
    const isEndless = rows > places.size + PAGE_LIMIT.max;
    if (page.next_cursor === null || page.entries.length === 0 || isEndless) break;
    page = await ask(live, { ...query, cursor: page.next_cursor });
  }
  for (const name of left.keys()) shown.strangers.push(`the row of ${name} is not shown`);
  return { ...shown, rows };
}

function differencesOf(
  { codename, rank, metrics, interval }: BoardAnswer['entries'][number],
  stated: StatedPlace,
): string[] {
  const own = [rank, metrics[SHOWN.metric], interval?.[0] ?? null, interval?.[1] ?? null];
  return ['rank', 'value', 'lower end', 'upper end'].flatMap((what, index) => {
    if (own[index] === stated[index]) return [];
    return [`${codename}: ${what} ${String(own[index])}, in the file ${String(stated[index])}`];
  });
}

function ask({ board, client, retrying }: LiveBoard, query: Record<string, string>) {
  const { window, metric, trust } = SHOWN;
  const choice = { window, metric, trust, ...query, limit: String(PAGE_LIMIT.max) };
  return retrying.ask(() => client.leaderboard(board, choice, BoardAnswer));
}

/** The board that is shown where none is chosen. */
export const SHOWN = { window: '30d', metric: 'yield', trust: 'signed' } as const;

/** Who stands where on a board that the file holds. */
export interface KeptPlaces extends Pick<BoardLine, 'as_of' | 'kept' | 'log_index'> {
  /** By name, of those who are ranked. */
  places: Map<string, StatedPlace>;
}

/** The current board and the newest day, of all that pass by. */
export class KeptBoards {
  #open: KeptPlaces | null = null;
  #current: KeptPlaces | null = null;
  #day: KeptPlaces | null = null;

  add(line: PublicLogLine): void {
    if (line.line === 'board') this.#begin(line);
    if (line.line !== 'standing' || line.trust !== SHOWN.trust || line.tool !== null) return;
    const place = line.windows[SHOWN.window]?.[SHOWN.metric];
    if (place && place[0] !== null) this.#open?.places.set(line.name, place);
  }

  get boards(): KeptPlaces[] {
    return [this.#current, this.#day].filter((board) => board !== null);
  }

  #begin({ as_of, kept, log_index }: BoardLine): void {
    const board = { as_of, kept, log_index, places: new Map<string, StatedPlace>() };
    this.#open = board;
    if (kept === 'current') this.#current = board;
    else if (!this.#day || this.#day.as_of <= as_of) this.#day = board;
  }
}
