/**
 * Compares the daily boards of a public log with the digests that the log pinned when the days ended. Boards whose rows
 * have left or lost their values since cannot be compared any more.
 *
 * @module
 */
import type { BoardPayload } from '#core/schema/log-payload.ts';
import type { BoardLine, StandingLine } from '#core/schema/public-log.ts';
import type { LogFinding } from './log-finding.ts';
import type { RunningHash } from './public-log-line.ts';
import { isRankedAnywhere, isWithoutValues } from './row-form.ts';

/** A daily board in the file. */
interface FoundBoard {
  line: number;
  log_index: number;
  /** Null until the board ends, and if a line could not be read. */
  sha256: string | null;
  isThinned: boolean;
}

interface Pin extends Pick<BoardPayload, 'log_index' | 'sha256'> {
  /** The entry that pins the board. */
  entry: number;
}

/** Kinds of entries that change which rows a board shows, or their names. */
export const SEEN_OTHERWISE = ['erase', 'hide', 'unhide', 'visibility'];

export class BoardPins {
  readonly #createHash: () => RunningHash;
  readonly #boards = new Map<string, FoundBoard>();
  /** The last pin of each day. A day is pinned again if its board was replaced because the clock was wrong. */
  readonly #pins = new Map<string, Pin>();
  #open: { board: FoundBoard; hash: RunningHash } | null = null;
  /** The last entry that changed what boards show. */
  #changed = 0;

  constructor(createHash: () => RunningHash) {
    this.#createHash = createHash;
  }

  addBoard({ kept, as_of, log_index }: BoardLine, line: number): void {
    this.close();
    if (kept !== 'daily') return;
    const board = { line, log_index, sha256: null, isThinned: false };
    this.#boards.set(as_of, board);
    this.#open = { board, hash: this.#createHash() };
  }

  /** @param text The line without its line feed. */
  addRow(row: StandingLine, text: string): void {
    if (!this.#open) return;
    this.#open.board.isThinned ||= isWithoutValues(row) && isRankedAnywhere(row);
    this.#open.hash.update(`${text}\n`);
  }

  addEntry(kind: string, log_index: number): void {
    this.close();
    if (SEEN_OTHERWISE.includes(kind)) this.#changed = log_index;
  }

  pin({ day, log_index, sha256 }: BoardPayload, entry: number): void {
    this.#pins.set(day, { log_index, sha256, entry });
  }

  /** Called if a line could not be read, which may have been a row. */
  lose(): void {
    this.#open = null;
  }

  /** Finishes the current board. */
  close(): void {
    if (this.#open) this.#open.board.sha256 = this.#open.hash.digest('hex');
    this.#open = null;
  }

  /** Yields what differs. Call it after the last line. */
  *differences(): Generator<LogFinding> {
    for (const [as_of, pin] of this.#pins) {
      const message = this.#difference(as_of, pin);
      const line = this.#boards.get(as_of)?.line ?? null;
      if (message) yield { code: 'board_pinned', line, as_of, log_index: pin.entry, message };
    }
  }

  #difference(day: string, { log_index, sha256, entry }: Pin): string | null {
    const name = `the daily board of ${day}`;
    const board = this.#boards.get(day);
    if (!board) return `${name} is missing, which entry ${entry} pinned`;
    if (board.log_index !== log_index) {
      return `${name} is based on entry ${board.log_index}, but entry ${entry} pinned one that is based on entry ${log_index}`;
    }
    const isComparable = board.sha256 !== null && !board.isThinned && this.#changed < entry;
    if (!isComparable || board.sha256 === sha256) return null;
    return `${name} is not the one that was shown: entry ${entry} pinned other rows`;
  }
}
