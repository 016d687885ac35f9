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
  /** Of operators with a change after this entry, windows that ended before may set records. */
  lookedAt: number;
}

/** What operators compete in besides the boards: records and challenges. */
export class Contests {
  readonly #records: SignalRecords;
  /** What the operators' rows are made for. */
  #term: Pick<Term, 'challenges' | 'last'> = { last: 0, challenges: [] };
  #open: readonly RankedChallenge[] = [];
  #closed: readonly ClosedChallenge[] = [];
  #isClockSure = true;

  constructor(ruleset: Ruleset) {
    this.#records = new SignalRecords(ruleset);
  }

  /** What is to be read of operators who have changed since an entry. */
  changes(store: Store, as_of: string, since: number): Changes {
    const lookedAt = this.#records.lookedAt(store, dayNumber(as_of));
    return { as_of, since, challenges: this.#term.challenges, lookedAt };
  }

  /** While the clock may be wrong, nothing becomes final: no challenge closes and no record is set. */
  trustClock(isSure: boolean): void {
    this.#isClockSure = isSure;
  }

  /** Makes rows from now on for the challenges that have begun by a day. */
  start(store: Store, as_of: string): void {
    const challenges = store.challenges.begun(as_of).map(rankedBy);
    this.#term = { last: dayNumber(as_of), challenges };
  }

  /** Whether a challenge has begun that the operators' rows were not made for. */
  isMissing(store: Store, as_of: string): boolean {
    return store.challenges.begun(as_of).some((row) => this.#indexOf(row) < 0);
  }

  /**
   * Finds new records and final standings. Call it inside the snapshot that the operators were read in.
   *
   * @param names Of all whom the public sees, also of those without usage that counts now.
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

  /** Stores what was found, as shown first by the publication of an instant. */
  keep(store: Store, generated_at: string): void {
    if (this.#isClockSure) this.#records.keep(store, generated_at);
    for (const closed of this.#closed) storeClosed(store, closed, generated_at);
    this.#closed = [];
  }

  /** What a publication holds of them. */
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

  /** Whose usage does not count any more can have a place all the same, for what counted at the close. */
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

  /** What is projected of each operator in a challenge, by position; null without tokens that count. */
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
