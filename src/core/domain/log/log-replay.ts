/**
 * The second reading of a public log: replays the entries and recomputes each board where it stands.
 *
 * @module
 */
import type { BoardLine, EntryLine, PublicLogLine } from '#core/schema/public-log.ts';
import { BoardCheck, type CheckedBoard } from './board-check.ts';
import { DomainError } from '../text/errors.ts';
import { LogAccounts } from './log-accounts.ts';
import type { EntriesCheck } from './log-entries-check.ts';
import type { Findings } from './log-finding.ts';

/** What the first reading has found out. */
type Known = Pick<EntriesCheck, 'codenames' | 'recounted'> & {
  chain: Pick<EntriesCheck['chain'], 'emptyIn'>;
};

export class LogReplay {
  readonly boards: CheckedBoard[] = [];
  readonly #known: Known;
  readonly #findings: Findings;
  readonly #accounts: LogAccounts;
  #board: BoardCheck | null = null;
  #isEnded = false;

  constructor(known: Known, findings: Findings) {
    this.#known = known;
    this.#findings = findings;
    this.#accounts = new LogAccounts(known.recounted);
  }

  /** @param number The line's, from 1 on. */
  add(line: PublicLogLine, number: number): void {
    if (this.#isEnded) return;
    if (line.line === 'standing') return this.#board?.add(number, line);
    this.#finishBoard();
    if (line.line === 'end') this.#isEnded = true;
    if (line.line === 'entry') this.#apply(line);
    if (line.line === 'board') this.#begin(line, number);
  }

  /** A line could not be read; behind an open board it may have been one of its rows. */
  lose(): void {
    this.#board?.lose();
  }

  finish(): void {
    this.#finishBoard();
  }

  #apply(entry: EntryLine): void {
    try {
      this.#accounts.apply(entry);
    } catch (error) {
      // The first reading has said so.
      if (!(error instanceof DomainError)) throw error;
    }
  }

  #begin(board: BoardLine, line: number): void {
    const { chain, codenames } = this.#known;
    this.#board = new BoardCheck(board, {
      line,
      accounts: this.#accounts,
      codenames,
      mayHaveGaps: board.kept === 'daily' && chain.emptyIn(1, board.log_index) > 0,
      report: (finding) => this.#findings.add(finding),
    });
  }

  #finishBoard(): void {
    if (this.#board) this.boards.push(this.#board.finish());
    this.#board = null;
  }
}
