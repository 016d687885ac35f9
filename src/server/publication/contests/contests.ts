import { type ChallengeRow, rankedBy } from '#db/challenges.ts';
import type { Store } from '#db/store.ts';
import { GRACE_DAYS, type RankedChallenge } from '#core/domain/board/challenge.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { Ruleset } from '#core/domain/board/ruleset.ts';
import type { Term } from '../project/project-operator.ts';
import type { BoardState, ChallengeColumns } from '../state/board-state.ts';
import type { Field } from '../project/field.ts';
import { type Leader, announceLeaders, announceStarts, leadersIn } from './announcements.ts';
import { challengeRanking } from './challenge-standings.ts';
import { type ClosedChallenge, closeChallenge, storeClosed } from './close-challenge.ts';
import { SignalRecords } from './signal-records.ts';

/** Records and challenges, in which operators compete outside the boards. */
export class Contests {
  readonly #records: SignalRecords;
  /** The term for which the operators' rows are made. */
  #term: Pick<Term, 'challenges' | 'last'> = { last: 0, challenges: [] };
  #open: readonly RankedChallenge[] = [];
  #closed: readonly ClosedChallenge[] = [];
  #leaders: readonly Leader[] = [];
  #as_of = '';
  #isClockSure = true;

  constructor(ruleset: Ruleset) {
    this.#records = new SignalRecords(ruleset);
  }

  /** The challenges for which rows are made. */
  get challenges(): readonly RankedChallenge[] {
    return this.#term.challenges;
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

  /** Continues from the challenges of an earlier projection. */
  resume({ last, challenges }: Pick<Term, 'challenges' | 'last'>): void {
    this.#term = { last, challenges };
  }

  /** Whether a challenge has begun for which the operators' rows were not made. */
  isMissing(store: Store, as_of: string): boolean {
    return store.challenges.begun(as_of).some((row) => this.#indexOf(row) < 0);
  }

  /** Finds new records and final standings. Call it inside the snapshot in which the operators were read. */
  look(store: Store, as_of: string, field: Field): void {
    this.#records.look(store, this.#term.last, field);
    this.#leaders = leadersIn(field);
    this.#as_of = as_of;
    const begun = store.challenges.begun(as_of);
    this.#open = begun.filter((row) => !this.#isOver(row)).map(rankedBy);
    this.#closed = begun
      .filter((row) => this.#isOver(row))
      .map((row) => this.#close(store, row, field));
  }

  /** Stores the results, as first shown by the publication of an instant. */
  keep(store: Store, generated_at: string): void {
    const now = new Date(generated_at);
    if (this.#isClockSure) {
      this.#records.keep(store, generated_at);
      announceLeaders(store, this.#leaders, now);
      announceStarts(store, this.#as_of, now);
    }
    for (const closed of this.#closed) storeClosed(store, closed, generated_at);
    this.#closed = [];
  }

  /** The records and challenges of a publication. Challenges without changes keep their columns. */
  columns(
    field: Field,
    before: readonly ChallengeColumns[],
  ): Pick<BoardState, 'challenges' | 'records'> {
    return {
      records: this.#records.data(field),
      challenges: this.#open.map((challenge) => {
        const index = this.#indexOf(challenge);
        const known = before.find(({ seq }) => seq === challenge.seq);
        return known && !field.hasChangedIn(index) ? known : standingsOf(challenge, index, field);
      }),
    };
  }

  /** Includes operators whose usage counted at the close but does not count any more. */
  #close(store: Store, row: ChallengeRow, field: Field): ClosedChallenge {
    const index = this.#indexOf(row);
    return closeChallenge(store, row, field.seenByName(), (id) => {
      const slot = field.slotOf(id);
      return slot === null ? null : field.challengeRow(slot, index);
    });
  }

  #indexOf({ seq }: { seq: number }): number {
    return this.#term.challenges.findIndex((challenge) => challenge.seq === seq);
  }

  #isOver({ last_day }: ChallengeRow): boolean {
    return this.#isClockSure && this.#term.last > dayNumber(last_day) + GRACE_DAYS;
  }
}

function standingsOf(challenge: RankedChallenge, index: number, field: Field): ChallengeColumns {
  const slots = field.byName.filter((slot) => field.challengeRow(slot, index) !== null);
  const rows = Array.from(slots, (slot) => field.challengeRow(slot, index) ?? NO_ROW);
  const { ranked, unranked, ...places } = challengeRanking(challenge, rows);
  const slotAt = (at: number) => slots[at] as number;
  const { seq, metric, eligibility } = challenge;
  const columns = { ranked: ranked.map(slotAt), ...places, unranked: unranked.map(slotAt) };
  return { seq, metric, eligibility, index, ...columns, rowsSum: field.sumIn(index) };
}

const NO_ROW = { numbers: new Float64Array(), at: 0 };
