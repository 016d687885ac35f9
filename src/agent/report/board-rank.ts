/** Where the counts of this device would be on a board, from its public list of operators. */
import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import { PAGE_LIMIT } from '#core/contract/limits.ts';
import { BoardPageAnswer } from '../board/answers.ts';
import type { LocalDevice } from '../device.ts';
import { Failure } from '../failure.ts';
import type { Estimate } from '../loop/estimate.ts';

export interface BoardRank {
  board: string;
  /** Why the board could not be asked; null if it answered. */
  failure: Failure | null;
  /** Null if it could not be asked. */
  answer: {
    as_of: string;
    /** The number of ranked operators, without this device's. */
    others: number;
    /** The highest conservative values, without this device's operator, highest first. */
    lows: number[];
    ruleset: string | null;
  } | null;
}

/**
 * Asks a board for its first operators by yield in 30 days, once. The request does not identify anyone, unless only
 * members can read the board.
 */
export async function askBoardRank(
  { client, keystore }: Pick<LocalDevice, 'client' | 'keystore'>,
  board: string,
): Promise<BoardRank> {
  const { window, metric } = DEFAULT_VIEW;
  const choice = { window, metric, limit: String(PAGE_LIMIT.max) };
  try {
    const { as_of, total, entries, ruleset } = await client.leaderboard(
      board,
      choice,
      BoardPageAnswer,
    );
    const own = keystore.identity(board)?.codename ?? null;
    const others = entries.filter(({ codename }) => codename !== own);
    const lows = others
      .map(({ conservative, interval }) => conservative ?? interval?.[0])
      .filter((low) => low !== undefined);
    const answer = {
      as_of,
      others: total - (entries.length - others.length),
      lows,
      ruleset: ruleset ?? null,
    };
    return { board, failure: null, answer };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { board, failure: error, answer: null };
  }
}

/** The conservative yield in 30 days, by which boards rank; null if it is not enough for a rank. */
export function conservativeOf({ windows }: Estimate): number | null {
  const main = windows.find(({ window }) => window === DEFAULT_VIEW.window);
  if (!main?.standing || main.missing.length > 0) return null;
  return main.standing.conservative.yield;
}

/**
 * The rank of a conservative value among the others.
 *
 * @returns The lowest possible rank number if the list ends before it, with `isAtLeast`.
 */
export function rankOf(
  { lows, others }: NonNullable<BoardRank['answer']>,
  conservative: number,
): { rank: number; total: number; isAtLeast: boolean } {
  const above = lows.filter((low) => low > conservative).length;
  return {
    rank: above + 1,
    total: others + 1,
    isAtLeast: above === lows.length && lows.length < others,
  };
}
