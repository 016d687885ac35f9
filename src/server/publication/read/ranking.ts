import { shareBelow } from '#core/domain/board/board.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { firstNot } from '#core/domain/text/binary-search.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { MetricOrder } from '../state/board-state.ts';
import { highestAt, lowestAt, rankingAt, type RowPlace, totalAt } from '../state/standing-row.ts';

/** The order of a board by one metric. Ranks, ranges and percentiles are computed when they are read. */
export class Ranking {
  readonly ranked: Uint32Array;
  readonly unranked: Uint32Array;
  /** Ranked operators by their values, lowest first. */
  readonly byValue: Uint32Array;
  readonly #byLowest: Uint32Array;
  readonly #byHighest: Uint32Array;
  readonly #metric: MetricName;
  readonly #index: number;
  readonly #rowOf: (slot: number) => RowPlace;

  /** @param rowOf The row of a ranked operator. */
  constructor(
    { ranked, unranked, byLowest, byHighest, byValue }: Record<keyof MetricOrder, Uint32Array>,
    metric: MetricName,
    rowOf: (slot: number) => RowPlace,
  ) {
    this.ranked = ranked;
    this.unranked = unranked;
    this.#byLowest = byLowest;
    this.#byHighest = byHighest;
    this.byValue = byValue;
    this.#metric = metric;
    this.#index = METRIC_NAMES.indexOf(metric);
    this.#rowOf = rowOf;
  }

  /** The same order of some operators. */
  among(isMeant: (slot: number) => boolean): Ranking {
    const order = {
      ranked: this.ranked.filter(isMeant),
      unranked: this.unranked.filter(isMeant),
      byLowest: this.#byLowest.filter(isMeant),
      byHighest: this.#byHighest.filter(isMeant),
      byValue: this.byValue.filter(isMeant),
    };
    return new Ranking(order, this.#metric, this.#rowOf);
  }

  /** 1 + the number of operators above. */
  rankAt(place: number): number {
    return 1 + this.#countAbove(this.#lowAt(place));
  }

  /** The best and worst rank that the intervals allow. */
  rangeAt(place: number): [number, number] {
    const own = this.ranked[place] as number;
    const [lowest, highest] = [this.#lowestOf(own), this.#highestOf(own)];
    const total = this.ranked.length;
    const notAbove = firstNot(
      total,
      (at) => this.#lowestOf(this.#byLowest[at] as number) <= highest,
    );
    const below = firstNot(total, (at) => this.#highestOf(this.#byHighest[at] as number) < lowest);
    return [1 + total - notAbove, total - below];
  }

  percentileAt(place: number): number | null {
    const low = this.#lowAt(place);
    const end = firstNot(this.ranked.length, (at) => this.#lowAt(at) >= low);
    return shareBelow(this.ranked.length - end, this.ranked.length);
  }

  /**
   * The place of an operator; null if it is unranked.
   *
   * @param codenameOf Decides between operators with equal values and tokens.
   */
  placeOf(slot: number, codenameOf: (slot: number) => string): number | null {
    const row = this.#rowOf(slot);
    const low = rankingAt(row.numbers, row.at, this.#index);
    if (Number.isNaN(low)) return null;
    const total = totalAt(row.numbers, row.at);
    const codename = codenameOf(slot);
    const isBefore = (at: number) => {
      const other = this.ranked[at] as number;
      const of = this.#rowOf(other);
      const otherLow = rankingAt(of.numbers, of.at, this.#index);
      if (otherLow !== low) return otherLow > low;
      const otherTotal = totalAt(of.numbers, of.at);
      return otherTotal === total ? codenameOf(other) < codename : otherTotal > total;
    };
    const place = firstNot(this.ranked.length, isBefore);
    return this.ranked[place] === slot ? place : null;
  }

  #countAbove(limit: number): number {
    return firstNot(this.ranked.length, (at) => this.#lowAt(at) > limit);
  }

  #lowAt(place: number): number {
    const { numbers, at } = this.#rowOf(this.ranked[place] as number);
    return rankingAt(numbers, at, this.#index);
  }

  #lowestOf(slot: number): number {
    const { numbers, at } = this.#rowOf(slot);
    return lowestAt(numbers, at, this.#metric);
  }

  #highestOf(slot: number): number {
    const { numbers, at } = this.#rowOf(slot);
    return highestAt(numbers, at, this.#metric);
  }
}
