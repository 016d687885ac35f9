/** Reports differences on a board, with the board, the row and the numbers. */
import type { BoardLine, StandingLine } from '#core/schema/public-log.ts';
import type { BoardSlice } from '../board/board.ts';
import type { LogFinding } from './log-finding.ts';

/** A row that is being compared. */
export interface CheckedRow {
  line: number;
  stated: StandingLine;
  slice: BoardSlice;
}

export class BoardReport {
  isSound = true;
  readonly #board: BoardLine;
  readonly #report: (finding: LogFinding) => void;

  constructor(board: BoardLine, report: (finding: LogFinding) => void) {
    this.#board = board;
    this.#report = report;
  }

  /** Adds a finding. The board's name is put before its message. */
  add({ message, ...finding }: LogFinding): void {
    this.isSound = false;
    const { as_of, kept } = this.#board;
    const { stated, recomputed } = finding;
    const numbers = stated === undefined ? '' : ` is stated as ${String(stated)}`;
    const own = recomputed === undefined ? '' : `, recomputed ${String(recomputed)}`;
    const text = `the ${kept} board of ${as_of}: ${message}${numbers}${own}`;
    this.#report({ ...finding, as_of, message: text });
  }

  /** Adds a difference in a row. */
  addRow(
    { line, stated, slice }: CheckedRow,
    code: LogFinding['code'],
    what: string,
    more: Partial<LogFinding> = {},
  ): void {
    const { name, operator } = stated;
    const { trust, tool } = slice;
    const { window, metric } = more;
    const place = [window, metric].filter((word) => word !== undefined).join(' ');
    const message = `${name}${inSlice(slice)}${place && `, ${place}`}: ${what}`;
    const who = { name, trust, tool, ...(operator !== null && { operator }) };
    this.add({ code, line, message, ...who, ...more });
  }
}

/** A slice in a sentence. */
export function inSlice({ tool, trust }: BoardSlice): string {
  const buckets = trust === 'all' ? ', self-reported counts too' : '';
  return ` (${tool ?? 'all tools'}${buckets})`;
}
