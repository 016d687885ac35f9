import { whatIsMissing } from '#core/domain/board/board.ts';
import { BASIS } from '#core/domain/metrics/day-series.ts';
import type { ChallengeContender, ChallengeEntry } from '#core/schema/challenge.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { SignalRecord } from '#core/schema/signal-record.ts';
import type { PublishedOperators } from '../read/published-operators.ts';
import type { ChallengeColumns, SignalRecordData } from '../state/board-state.ts';
import { type RowPlace, standingAt } from '../state/standing-row.ts';
import { challengeValues } from './challenge-standings.ts';

/** The records on the Records page, as one publication shows them. */
export class PublishedRecords {
  readonly #operators: PublishedOperators;
  readonly #records: readonly SignalRecordData[];

  constructor(operators: PublishedOperators, records: readonly SignalRecordData[]) {
    this.#operators = operators;
    this.#records = records;
  }

  /** A metric's record and the beaten ones, newest first. */
  of(metric: MetricName): SignalRecord[] {
    return this.#records
      .filter((record) => record.metric === metric && !this.#operators.isWithheld(record.operator))
      .map(({ metric: _metric, operator, rules, ...record }) => {
        const { codename, display_name } = this.#operators.at(operator);
        return { codename, display_name, ruleset: String(rules), ...record };
      });
  }

  /** The metrics for which an operator holds the record. */
  heldBy(codename: string): MetricName[] {
    const first = new Map<MetricName, number>();
    for (const { metric, operator } of this.#records) {
      if (!first.has(metric)) first.set(metric, operator);
    }
    const position = this.#operators.positionOf(codename);
    return [...first].filter(([, holder]) => holder === position).map(([metric]) => metric);
  }
}

/** The standings of a challenge that is not over yet. */
export class PublishedChallenge {
  readonly #operators: PublishedOperators;
  readonly #columns: ChallengeColumns;

  readonly #rowOf: (slot: number) => RowPlace;

  /** @param rowOf The row of a participant. */
  constructor(
    operators: PublishedOperators,
    columns: ChallengeColumns,
    rowOf: (slot: number) => RowPlace,
  ) {
    this.#operators = operators;
    this.#columns = columns;
    this.#rowOf = rowOf;
  }

  get total(): number {
    return this.#shown(this.#columns.ranked).length;
  }

  /** The number of places. Those of withheld operators stay empty. */
  get places(): number {
    return this.#columns.ranked.length;
  }

  /** How many took part without being ranked. */
  get unranked(): number {
    return this.#shown(this.#columns.unranked).length;
  }

  /** All participants, including withheld ones. */
  get length(): number {
    return this.#columns.ranked.length + this.#columns.unranked.length;
  }

  /** The entries of some places after one, best first; fewer if operators are withheld. */
  entries(after: number, limit: number): ChallengeEntry[] {
    const places = [...this.#columns.ranked.subarray(after, after + limit)];
    return places.flatMap((slot, index) =>
      this.#operators.isWithheld(slot) ? [] : [this.#entry(slot, after + index)],
    );
  }

  /**
   * The unranked participants from an index on, the highest conservative value first; fewer if operators are
   * withheld.
   */
  unrankedEntries(from: number, limit: number): ChallengeContender[] {
    if (limit <= 0) return [];
    const rows = this.#columns.unranked.subarray(from, from + limit);
    return Array.from(this.#shown(rows), (row) => this.#unrankedEntry(row));
  }

  #shown(slots: Uint32Array): Uint32Array {
    return slots.filter((slot) => !this.#operators.isWithheld(slot));
  }

  #unrankedEntry(slot: number): ChallengeContender {
    const { metric, eligibility } = this.#columns;
    const standing = standingAt(this.#rowOf(slot));
    const { codename, display_name } = this.#operators.at(slot);
    return {
      codename,
      display_name,
      value: standing.metrics[metric],
      conservative: standing.conservative[metric],
      interval: standing.intervals[metric],
      total: standing.bases.all.total,
      active_days: standing.bases[BASIS[metric]].active_days,
      reasons: whatIsMissing(standing, metric, eligibility),
    };
  }

  #entry(slot: number, index: number): ChallengeEntry {
    const { ranks, best, worst, metric } = this.#columns;
    const { value, conservative, low, high, ...rest } = challengeValues(this.#rowOf(slot), metric);
    const { codename, display_name } = this.#operators.at(slot);
    return {
      place: index + 1,
      rank: ranks[index] as number,
      rank_range: [best[index] as number, worst[index] as number],
      codename,
      display_name,
      value,
      conservative,
      interval: [low, high],
      ...rest,
    };
  }
}
