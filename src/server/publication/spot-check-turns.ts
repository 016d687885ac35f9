/** Compares a random part of the boards with the database after each publication. Lives in the projecting thread. */
import type { Store } from '#db/store.ts';
import { storageFaultOf } from '#server/process/storage-fault.ts';
import { failureText } from './checks/checks.ts';
import type { Projected } from './project/read-changes.ts';
import { randomSlots, SpotCheck } from './project/spot-check.ts';

/** How long a request waits for a comparison at most, in milliseconds. */
const TURN_MS = 10;

/** The pause after each turn, in milliseconds, in which others have the processor. */
const PAUSE_MS = 20;

/** What the thread reports about a spot check, without personal data. */
export interface SpotCheckNotice {
  /** The IDs of operators whose data in memory differs from the database; empty if the check failed. */
  differing: number[];
  failed?: string;
}

export class SpotCheckTurns {
  readonly #store: Store;
  readonly #report: (notice: SpotCheckNotice) => void;
  #check: SpotCheck | null = null;
  #later: NodeJS.Timeout | undefined;

  constructor(store: Store, report: (notice: SpotCheckNotice) => void) {
    this.#store = store;
    this.#report = report;
  }

  get isSettled(): boolean {
    return this.#check === null;
  }

  /** Pauses for a publication. */
  rest(): void {
    clearTimeout(this.#later);
  }

  /** Begins with other operators, for a new publication. */
  begin(projected: Projected): void {
    const slots = randomSlots(projected.state.operators.ids.length);
    this.#check = new SpotCheck(this.#store, projected, slots);
  }

  /** Continues, yielding often, until `rest` is called, or everything is compared or something differs. */
  goOn(): void {
    const check = this.#check;
    if (!check) return;
    this.#later = setTimeout(() => {
      this.#step(check);
      this.goOn();
    }, PAUSE_MS);
  }

  #step(check: SpotCheck): void {
    try {
      const differing = check.run(performance.now() + TURN_MS);
      if (differing.length > 0) this.#report({ differing });
      // Everything is computed again if something differs.
      if (check.isDone || differing.length > 0) this.#check = null;
    } catch (error) {
      this.#check = null;
      // The next publication reports that the storage fails.
      if (storageFaultOf(error) !== null) return;
      this.#report({ differing: [], failed: failureText(error) });
    }
  }
}
