/** Moves stored data to the form of this version between publications. Lives in the projecting thread. */
import { type Move, MoveError } from '#db/engine/moves.ts';
import { storageFaultOf } from '#server/process/storage-fault.ts';
import { failureText } from './checks/checks.ts';

/** The pause after each piece, in milliseconds, in which others can write. */
const PAUSE_MS = 20;

/** What the thread reports about a move. `failed` is an error without personal data. */
export interface MoveNotice {
  move: string;
  state: 'ended' | 'started' | 'stopped';
  rows: number;
  failed?: string;
}

export class MoveTurns {
  readonly #waiting: Move[];
  readonly #report: (notice: MoveNotice) => void;
  /** The rows that the first move had left when it started. */
  #started: number | undefined;
  #later: NodeJS.Timeout | undefined;

  constructor(moves: readonly Move[], report: (notice: MoveNotice) => void) {
    this.#waiting = [...moves];
    this.#report = report;
  }

  /** How many moves are not finished. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Whether everything was moved that can be. The rest is tried again by the next thread. */
  get isSettled(): boolean {
    return this.#waiting.length === 0;
  }

  /** Pauses for a publication. */
  rest(): void {
    clearTimeout(this.#later);
  }

  /** Continues, yielding after each piece, until `rest` is called or everything is moved. */
  goOn(): void {
    const [move] = this.#waiting;
    if (!move) return;
    this.#later = setTimeout(() => {
      if (this.#step(move)) this.goOn();
    }, PAUSE_MS);
  }

  /** Returns false if the storage fails, which may work again after the next publication. */
  #step(move: Move): boolean {
    try {
      this.#started ??= this.#start(move);
      if (!move.step()) this.#end(move, 'ended');
    } catch (error) {
      if (storageFaultOf(error) !== null) return false;
      this.#end(move, 'stopped', error);
    }
    return true;
  }

  #start({ name: move, left }: Move): number {
    const rows = left();
    if (rows > 0) this.#report({ move, state: 'started', rows });
    return rows;
  }

  #end(move: Move, state: MoveNotice['state'], error?: unknown): void {
    const isNews = error !== undefined || this.#started !== 0;
    this.#waiting.shift();
    this.#started = undefined;
    const failed = error === undefined ? {} : { failed: textOf(error) };
    if (isNews) this.#report({ move: move.name, state, rows: move.left(), ...failed });
  }
}

function textOf(error: unknown): string {
  return error instanceof MoveError ? error.message : failureText(error);
}
