/**
 * Moves stored data to the form of this version, in pieces, while the board is served. Every row is in exactly one
 * place at any moment, so a process that ends in the middle leaves nothing to repair.
 */

/** Data that an earlier version stored in another form. */
export interface Move {
  name: string;
  /** How many rows are left. May read an index of all of them. */
  left: () => number;
  /**
   * Moves one piece in a write transaction of its own, which is so short that a submission can wait for it. Returns
   * false once nothing is left.
   *
   * @throws {MoveError} if the rows that are left cannot be moved, because they could not be restored exactly. They stay
   * where they are, and readers find them there.
   */
  step: () => boolean;
}

/** Why rows stay where they are. The message may be logged, so it must not contain personal data. */
export class MoveError extends Error {
  override name = 'MoveError';
}

/** Finishes all moves. Use it where nobody else writes. */
export function runMoves({ moves }: { moves: readonly Move[] }): void {
  for (const move of moves) while (move.step());
}
