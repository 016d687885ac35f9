import { whatIsMissing } from '#core/domain/board/board.ts';
import { BASIS } from '#core/domain/metrics/day-series.ts';
import type { ChallengeContender, ChallengeEntry } from '#core/schema/challenge.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { SignalRecord } from '#core/schema/signal-record.ts';
import { challengePlaceAt } from './challenge-standings.ts';
import type { ChallengeColumns, SignalRecordData } from '../read/columns.ts';
import type { PublishedOperators } from '../read/published-operators.ts';
import { STANDING_NUMBERS, standingAt } from '../read/standing-numbers.ts';

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
      .map(({ operator, interval, first_day, last_day, achieved_at, submission }) => {
        const { codename, display_name } = this.#operators.at(operator);
        const [value] = interval;
        const days = { first_day, last_day };
        return { codename, display_name, value, interval, ...days, achieved_at, submission };
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

  constructor(operators: PublishedOperators, columns: ChallengeColumns) {
    this.#operators = operators;
    this.#columns = columns;
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
    return this.#columns.operators.length;
  }

  /** The entries of some places after one, best first; fewer if operators are withheld. */
  entries(after: number, limit: number): ChallengeEntry[] {
    const places = [...this.#columns.ranked.subarray(after, after + limit)];
    return places.flatMap((row, index) =>
      this.#isWithheld(row) ? [] : [this.#entry(after + index)],
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

  #shown(rows: Uint32Array): Uint32Array {
    return rows.filter((row) => !this.#isWithheld(row));
  }

  #isWithheld(row: number): boolean {
    return this.#operators.isWithheld(this.#columns.operators[row] as number);
  }

  #unrankedEntry(row: number): ChallengeContender {
    const { metric, eligibility, operators, standings } = this.#columns;
    const standing = standingAt(standings, row * STANDING_NUMBERS);
    const { codename, display_name } = this.#operators.at(operators[row] as number);
    return {
      codename,
      display_name,
      value: standing.metrics[metric],
      interval: standing.intervals[metric],
      total: standing.bases.all.total,
      active_days: standing.bases[BASIS[metric]].active_days,
      reasons: whatIsMissing(standing, metric, eligibility),
    };
  }

  #entry(index: number): ChallengeEntry {
    const stored = challengePlaceAt(this.#columns, index);
    const { place, rank, best, worst, position, value, low, high, total, active_days } = stored;
    const { codename, display_name } = this.#operators.at(position);
    return {
      place,
      rank,
      rank_range: [best, worst],
      codename,
      display_name,
      value,
      interval: [low, high],
      total,
      active_days,
    };
  }
}
