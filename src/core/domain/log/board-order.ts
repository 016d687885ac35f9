/**
 * Where boards and their rows stand in a public log: behind the last entry that a board is a function of, rows by
 * slice and name, and as many as the board says.
 *
 * @module
 */
import type { BoardLine, StandingLine } from '#core/schema/public-log.ts';
import { nameOfLine } from './public-log-line.ts';

/** Says what is wrong; of the line that is being read, or of another one. */
type Report = (code: 'board_misplaced' | 'line_misplaced', message: string, line?: number) => void;

export class BoardOrder {
  readonly #report: Report;
  /** `rows` is null once one of them may have been lost. */
  #open: { line: number; stated: BoardLine; rows: number | null } | null = null;
  #lastRow: StandingLine | null = null;
  #current: BoardLine | null = null;

  constructor(report: Report) {
    this.#report = report;
  }

  /** The board of the newest publication, if there was one. */
  get current(): BoardLine | null {
    return this.#current;
  }

  /** @param last The entry before it. */
  addBoard(board: BoardLine, line: number, last: number): void {
    const before = this.#open?.stated;
    this.close();
    const name = nameOfLine(board);
    if (board.log_index !== last) {
      const message = `${name} is of entry ${board.log_index} and stands behind entry ${last}`;
      this.#report('board_misplaced', message);
    }
    const isBehind = before?.log_index === board.log_index && before.as_of >= board.as_of;
    const isSecond = board.kept === 'current' && this.#current !== null;
    if (isBehind || isSecond) {
      this.#report('board_misplaced', `${name} does not follow the one before it`);
    }
    if (board.kept === 'current') this.#current = board;
    this.#open = { line, stated: board, rows: 0 };
  }

  addRow(row: StandingLine): void {
    if (!this.#open) {
      return this.#report('line_misplaced', `${nameOfLine(row)} belongs to no board`);
    }
    if (this.#open.rows !== null) this.#open.rows += 1;
    const before = this.#lastRow;
    this.#lastRow = row;
    const isSameSlice = before?.trust === row.trust && before.tool === row.tool;
    if (!isSameSlice || before.name < row.name) return;
    this.#report('line_misplaced', `${nameOfLine(row)} stands behind ${before.name}`);
  }

  /** A line could not be read, which may have been a row. */
  lose(): void {
    if (this.#open) this.#open.rows = null;
  }

  /** Ends the board that is open. */
  close(): void {
    const board = this.#open;
    this.#open = null;
    this.#lastRow = null;
    if (!board || board.rows === null || board.rows === board.stated.rows) return;
    const message = `${nameOfLine(board.stated)} has ${board.rows} rows and not ${board.stated.rows}`;
    this.#report('board_misplaced', message, board.line);
  }
}
