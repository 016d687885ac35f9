import { whatIsMissing } from '#core/domain/board.ts';
import { BASIS } from '#core/domain/day-series.ts';
import type { ChallengeContender, ChallengeEntry } from '#core/schema/challenge.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { SignalRecord } from '#core/schema/signal-record.ts';
import { challengePlaceAt } from './challenge-standings.ts';
import type { ChallengeColumns, SignalRecordData } from './columns.ts';
import type { PublishedOperators } from './published-operators.ts';
import { STANDING_NUMBERS, standingAt } from './standing-numbers.ts';

/** The records of the hall of signal, as one publication shows them. */
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
      .filter((record) => record.metric === metric)
      .map(({ operator, interval, first_day, last_day, achieved_at, submission }) => {
        const { codename, display_name } = this.#operators.at(operator);
        const [value] = interval;
        const days = { first_day, last_day };
        return { codename, display_name, value, interval, ...days, achieved_at, submission };
      });
  }

  /** The metrics of which an operator holds the record. */
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
    return this.#columns.operators.length;
  }

  /** Who took part without being ranked. */
  get unranked(): number {
    return this.#columns.unranked;
  }

  /** The entries after a place, best first. */
  entries(after: number, limit: number): ChallengeEntry[] {
    const places = this.#columns.operators.subarray(after, after + limit);
    return Array.from(places, (_, index) => this.#entry(after + index));
  }

  /** How many of those without a place can be listed: none of a publication that 0.8 stored. */
  get listedUnranked(): number {
    return (this.#columns as Partial<ChallengeColumns>).unranked_operators?.length ?? 0;
  }

  /** The operators without a place from an index on, the highest conservative value first. */
  unrankedEntries(from: number, limit: number): ChallengeContender[] {
    if (this.listedUnranked === 0) return [];
    const positions = this.#columns.unranked_operators.subarray(from, from + limit);
    return Array.from(positions, (position, index) => this.#unrankedEntry(position, from + index));
  }

  #unrankedEntry(position: number, index: number): ChallengeContender {
    const { metric, eligibility, unranked_standings } = this.#columns;
    const standing = standingAt(unranked_standings, index * STANDING_NUMBERS);
    const { codename, display_name } = this.#operators.at(position);
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
