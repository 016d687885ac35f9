import { shareBelow } from '#core/domain/board/board.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { firstNot } from '#core/domain/text/binary-search.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { MetricOrder } from '../state/board-state.ts';
import { highAt, lowAt, type RowPlace, totalAt } from '../state/standing-row.ts';

/** The order of a board by one metric. Ranks, ranges and percentiles are computed when they are read. */
export class Ranking {
  readonly ranked: Uint32Array;
  readonly unranked: Uint32Array;
  /** Ranked operators by their values, lowest first. */
  readonly byValue: Uint32Array;
  readonly #byHigh: Uint32Array;
  readonly #index: number;
  readonly #rowOf: (slot: number) => RowPlace;

  /** @param rowOf The row of a ranked operator. */
  constructor(
    { ranked, unranked, byHigh, byValue }: Record<keyof MetricOrder, Uint32Array>,
    metric: MetricName,
    rowOf: (slot: number) => RowPlace,
  ) {
    this.ranked = ranked;
    this.unranked = unranked;
    this.#byHigh = byHigh;
    this.byValue = byValue;
    this.#index = METRIC_NAMES.indexOf(metric);
    this.#rowOf = rowOf;
  }

  /** The same order of some operators. */
  among(isMeant: (slot: number) => boolean, metric: MetricName): Ranking {
    const [ranked, unranked, byHigh, byValue] = [
      this.ranked,
      this.unranked,
      this.#byHigh,
      this.byValue,
    ].map((slots) => slots.filter(isMeant)) as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
    return new Ranking({ ranked, unranked, byHigh, byValue }, metric, this.#rowOf);
  }

  /** 1 + the number of operators above. */
  rankAt(place: number): number {
    return 1 + this.#countAbove(this.#lowAt(place));
  }

  /** The best and worst rank that the intervals allow. */
  rangeAt(place: number): [number, number] {
    const best = 1 + this.#countAbove(this.#highOf(this.ranked[place] as number));
    const low = this.#lowAt(place);
    const below = firstNot(
      this.#byHigh.length,
      (at) => this.#highOf(this.#byHigh[at] as number) < low,
    );
    return [best, this.ranked.length - below];
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
    const low = lowAt(row.numbers, row.at, this.#index);
    if (Number.isNaN(low)) return null;
    const total = totalAt(row.numbers, row.at);
    const codename = codenameOf(slot);
    const isBefore = (at: number) => {
      const other = this.ranked[at] as number;
      const of = this.#rowOf(other);
      const otherLow = lowAt(of.numbers, of.at, this.#index);
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
    return lowAt(numbers, at, this.#index);
  }

  #highOf(slot: number): number {
    const { numbers, at } = this.#rowOf(slot);
    return highAt(numbers, at, this.#index);
  }
}
