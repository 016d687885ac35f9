import { BoardPageAnswer } from '../board/answers.ts';
import type { Device } from '../device.ts';

/** What chooses a board, as its query names it. */
export type BoardChoice = Readonly<Record<string, string>>;

export interface BoardTop {
  board: string;
  answer: BoardPageAnswer;
  /** The caller's codename there; null where this device is not enrolled. */
  codename: string | null;
}

/**
 * The top of a public board. Nothing tells the board who asks: a row further down is not looked for.
 *
 * @throws {Failure} if the board cannot be asked or says no.
 */
export async function readBoardTop(
  { client, keystore }: Device,
  board: string,
  choice: BoardChoice,
): Promise<BoardTop> {
  const codename = keystore.identity(board)?.codename ?? null;
  const answer = await client.leaderboard(board, choice, BoardPageAnswer);
  return { board, answer, codename };
}
