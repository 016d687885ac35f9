/** Compares the boards in a public log with those that readers see. */
import { PAGE_LIMIT } from '#core/contract/limits.ts';
import type { Findings } from '#core/domain/log/log-finding.ts';
import { BoardAnswer } from '../board/answers.ts';
import type { BoardLine, PublicLogLine, StatedPlace } from '#core/schema/public-log.ts';
import { Refusal } from '../failure.ts';
import type { LiveBoard } from './live-log.ts';

export interface ShownBoard {
  as_of: string;
  kept: KeptPlaces['kept'];
  /** Number of compared rows; null if the board could not be compared. */
  rows: number | null;
  reason: string | null;
  /** Differences between the file and what readers see. */
  differences: string[];
  /** Rows that only the file or only the board has. Operators may have changed their visibility meanwhile. */
  strangers: string[];
}

/**
 * Requests the boards that the file contains.
 *
 * @throws {Failure} if a request fails.
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

/** @param mayBeStrangers Whether operators have changed their visibility since the file was written. */
export function reportShown(
  boards: readonly ShownBoard[],
  mayBeStrangers: boolean,
  findings: Findings,
): void {
  for (const { as_of, kept, differences, strangers } of boards) {
    for (const what of mayBeStrangers ? differences : [...differences, ...strangers]) {
      const message = `readers see another ${kept} board of ${as_of} (${SHOWN.window} ${SHOWN.metric}): ${what}`;
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
    return { ...shown, reason: `the current board is for entry ${now.log_index}` };
  }
  try {
    const query = isOfNow ? {} : { as_of };
    const first = isOfNow ? now : await ask(live, query);
    if (isThat(first, board)) return await comparePages(live, board, { shown, first, query });
    const what = `it is for entry ${first.log_index} of ${first.as_of}, not for entry ${log_index}`;
    return { ...shown, differences: [what] };
  } catch (error) {
    const code = refusalOf(error);
    if (code === 'cursor_expired')
      return { ...shown, reason: 'it was updated during the comparison' };
    if (code === 'as_of_unavailable') return { ...shown, differences: ['there is no such board'] };
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
      if (entry.rank < above) shown.differences.push(`${name} is below rank ${above}`);
      above = entry.rank;
    }
    rows += page.entries.length;
    // A board cannot have many more rows than the file, so endless pages are not followed.
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
  return ['rank', 'value', 'lower bound', 'upper bound'].flatMap((what, index) => {
    if (own[index] === stated[index]) return [];
    return [`${codename}: ${what} ${String(own[index])}, in the file ${String(stated[index])}`];
  });
}

function ask({ board, client, retrying }: LiveBoard, query: Record<string, string>) {
  const { window, metric, trust } = SHOWN;
  const choice = { window, metric, trust, ...query, limit: String(PAGE_LIMIT.max) };
  return retrying.ask(() => client.leaderboard(board, choice, BoardAnswer));
}

/** The default board. */
export const SHOWN = { window: '30d', metric: 'yield', trust: 'signed' } as const;

/** The ranks on one board in the file. */
export interface KeptPlaces extends Pick<BoardLine, 'as_of' | 'kept' | 'log_index'> {
  /** Ranked operators by name. */
  places: Map<string, StatedPlace>;
}

/** Collects the current board and the board of the newest day from the lines of the log. */
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
