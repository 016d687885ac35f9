import { type Checks, type ChecksRun, failureText } from './checks.ts';

/** How long a request waits for checks that go on between publications, in milliseconds. */
const CATCH_UP_MS = 100;

/** A publication does not wait where more operators have to be checked: it would wait in vain. */
const MOST_BEFORE = 1_000;

/** Checks before each publication, and between them until everybody is checked. Lives in the projecting thread. */
export class CheckTurns {
  readonly #checks: Pick<Checks, 'run'>;
  #now = new Date(0);
  #isDone = true;
  #later: NodeJS.Timeout | undefined;
  /** What went wrong since that was last told. */
  #untold: string[] = [];

  constructor(checks: Pick<Checks, 'run'>) {
    this.#checks = checks;
  }

  /** Checks before a publication; returns what went wrong with checks since the one before. */
  run(now: Date, budgetMs: number): string[] {
    clearTimeout(this.#later);
    this.#now = now;
    this.#check(budgetMs, MOST_BEFORE);
    const failures = this.#untold;
    this.#untold = [];
    return failures;
  }

  /** Goes on with what is not done, in short turns, until the next publication. */
  goOn(): void {
    if (this.#isDone) return;
    this.#later = setTimeout(() => {
      this.#check(CATCH_UP_MS);
      this.goOn();
    }, 0);
  }

  #check(budgetMs: number, most?: number): void {
    const { isDone, failures } = this.#tryToCheck(budgetMs, most);
    this.#isDone = isDone;
    this.#untold.push(...failures);
  }

  /** Whatever becomes of the checks, the board is published; they go on with the next publication. */
  #tryToCheck(budgetMs: number, most?: number): ChecksRun {
    try {
      return this.#checks.run(this.#now, budgetMs, most);
    } catch (error) {
      return { isDone: true, failures: [failureText(error)] };
    }
  }
}
