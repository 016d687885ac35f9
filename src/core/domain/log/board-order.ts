/**
 * Checks the order of boards and rows in a public log. A board follows the last entry that it is computed from. Its
 * rows are sorted by slice and name, and the board states their number.
 *
 * @module
 */
import type { BoardLine, StandingLine } from '#core/schema/public-log.ts';
import { nameOfLine } from './public-log-line.ts';

/** Reports a fault in the current line, or in another one. */
type Report = (code: 'board_misplaced' | 'line_misplaced', message: string, line?: number) => void;

export class BoardOrder {
  readonly #report: Report;
  /** `rows` is null once a row may have been lost. */
  #open: { line: number; stated: BoardLine; rows: number | null } | null = null;
  #lastRow: StandingLine | null = null;
  #current: BoardLine | null = null;

  constructor(report: Report) {
    this.#report = report;
  }

  /** The board of the newest publication, if there is one. */
  get current(): BoardLine | null {
    return this.#current;
  }

  /** @param last The index of the entry before it. */
  addBoard(board: BoardLine, line: number, last: number): void {
    const before = this.#open?.stated;
    this.close();
    const name = nameOfLine(board);
    if (board.log_index !== last) {
      const message = `${name} belongs to entry ${board.log_index}, but comes after entry ${last}`;
      this.#report('board_misplaced', message);
    }
    const isBehind = before?.log_index === board.log_index && before.as_of >= board.as_of;
    const isSecond = board.kept === 'current' && this.#current !== null;
    if (isBehind || isSecond) {
      this.#report('board_misplaced', `${name} is out of order`);
    }
    if (board.kept === 'current') this.#current = board;
    this.#open = { line, stated: board, rows: 0 };
  }

  addRow(row: StandingLine): void {
    if (!this.#open) {
      return this.#report('line_misplaced', `${nameOfLine(row)} does not belong to a board`);
    }
    if (this.#open.rows !== null) this.#open.rows += 1;
    const before = this.#lastRow;
    this.#lastRow = row;
    const isSameSlice = before?.trust === row.trust && before.tool === row.tool;
    if (!isSameSlice || before.name < row.name) return;
    this.#report('line_misplaced', `${nameOfLine(row)} comes after ${before.name}`);
  }

  /** Called if a line could not be read, which may have been a row. */
  lose(): void {
    if (this.#open) this.#open.rows = null;
  }

  /** Finishes the current board. */
  close(): void {
    const board = this.#open;
    this.#open = null;
    this.#lastRow = null;
    if (!board || board.rows === null || board.rows === board.stated.rows) return;
    const message = `${nameOfLine(board.stated)} has ${board.rows} rows instead of ${board.stated.rows}`;
    this.#report('board_misplaced', message, board.line);
  }
}
