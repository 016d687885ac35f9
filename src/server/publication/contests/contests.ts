import { type ChallengeRow, rankedBy } from '#db/challenges.ts';
import type { Store } from '#db/store.ts';
import { GRACE_DAYS, type RankedChallenge } from '#core/domain/board/challenge.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import { type ClosedChallenge, closeChallenge, storeClosed } from './close-challenge.ts';
import { type ContenderRow, challengeColumns } from './challenge-standings.ts';
import type { SharedColumns } from '../read/columns.ts';
import {
  type ProjectedOperator,
  type Term,
  challengeRowAt,
} from '../project/projected-operator.ts';
import type { SeenName } from '../read/published-operators.ts';
import { SignalRecords } from './signal-records.ts';

interface Contender {
  id: number;
  operator: ProjectedOperator;
}

/** Which operators are read: those with a change after a log entry. */
export interface Changes {
  as_of: string;
  since: number;
  challenges: readonly RankedChallenge[];
  /** Earlier windows of operators with a change after this entry may set records. */
  lookedAt: number;
}

/** Records and challenges, in which operators compete outside the boards. */
export class Contests {
  readonly #records: SignalRecords;
  /** The term for which the operators' rows are made. */
  #term: Pick<Term, 'challenges' | 'last'> = { last: 0, challenges: [] };
  #open: readonly RankedChallenge[] = [];
  #closed: readonly ClosedChallenge[] = [];
  #isClockSure = true;

  constructor(ruleset: Ruleset) {
    this.#records = new SignalRecords(ruleset);
  }

  /** What must be read about operators with changes since an entry. */
  changes(store: Store, as_of: string, since: number): Changes {
    const lookedAt = this.#records.lookedAt(store, dayNumber(as_of));
    return { as_of, since, challenges: this.#term.challenges, lookedAt };
  }

  /** While the clock may be wrong, nothing becomes final: no challenge closes and no record is set. */
  trustClock(isSure: boolean): void {
    this.#isClockSure = isSure;
  }

  /** From now on, makes rows for the challenges that have begun by a day. */
  start(store: Store, as_of: string): void {
    const challenges = store.challenges.begun(as_of).map(rankedBy);
    this.#term = { last: dayNumber(as_of), challenges };
  }

  /** Whether a challenge has begun for which the operators' rows were not made. */
  isMissing(store: Store, as_of: string): boolean {
    return store.challenges.begun(as_of).some((row) => this.#indexOf(row) < 0);
  }

  /**
   * Finds new records and final standings. Call it inside the snapshot in which the operators were read.
   *
   * @param names All operators on the board, including those without usage that counts now.
   */
  look(
    store: Store,
    as_of: string,
    contenders: readonly Contender[],
    names: ReadonlyMap<number, SeenName>,
  ): void {
    this.#records.look(store, this.#term.last, contenders);
    const begun = store.challenges.begun(as_of);
    this.#open = begun.filter((row) => !this.#isOver(row)).map(rankedBy);
    this.#closed = begun
      .filter((row) => this.#isOver(row))
      .map((row) => this.#close(store, row, contenders, names));
  }

  /** Stores the results, as first shown by the publication of an instant. */
  keep(store: Store, generated_at: string): void {
    if (this.#isClockSure) this.#records.keep(store, generated_at);
    for (const closed of this.#closed) storeClosed(store, closed, generated_at);
    this.#closed = [];
  }

  /** The columns of a publication with records and challenges. */
  columns(contenders: readonly Contender[]): Pick<SharedColumns, 'challenges' | 'records'> {
    const positions = new Map(contenders.map(({ id }, position) => [id, position]));
    return {
      records: this.#records.data(positions),
      challenges: this.#open.map((challenge) => {
        const operators = contenders.map(({ operator }) => operator);
        const rowAt = this.#rows(this.#indexOf(challenge), operators);
        const rows = contenders.flatMap((_, position) => rowAt(position) ?? []);
        return challengeColumns(challenge, rows);
      }),
    };
  }

  /** Includes operators whose usage counted at the close but does not count any more. */
  #close(
    store: Store,
    row: ChallengeRow,
    contenders: readonly Contender[],
    names: ReadonlyMap<number, SeenName>,
  ): ClosedChallenge {
    const projected = new Map(contenders.map(({ id, operator }) => [id, operator]));
    const ids = [...names]
      .sort(([, a], [, b]) => (a.codename < b.codename ? -1 : 1))
      .map(([id]) => id);
    const operators = ids.map((id) => projected.get(id));
    return closeChallenge(store, row, ids, this.#rows(this.#indexOf(row), operators));
  }

  /** Each operator's row in a challenge, by position; null if no tokens count. */
  #rows(index: number, operators: readonly (ProjectedOperator | undefined)[]) {
    return (position: number): ContenderRow | null => {
      const operator = operators[position];
      if (!operator) return null;
      const at = challengeRowAt(operator, index, this.#term);
      return at === null ? null : { position, numbers: operator.rows, at };
    };
  }

  #indexOf({ seq }: { seq: number }): number {
    return this.#term.challenges.findIndex((challenge) => challenge.seq === seq);
  }

  #isOver({ last_day }: ChallengeRow): boolean {
    return this.#isClockSure && this.#term.last > dayNumber(last_day) + GRACE_DAYS;
  }
}
