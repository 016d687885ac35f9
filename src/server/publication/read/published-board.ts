import type { BoardEntry, Movement, OperatorSummary, UnrankedEntry } from '#core/schema/board.ts';
import type { MetricStanding } from '#core/schema/operator.ts';
import type { MetricName } from '#core/schema/record.ts';
import { whatIsMissing } from '#core/domain/board/board.ts';
import {
  type SourceUsage,
  partsInSlice,
  shownTools,
  toolsOf,
  trustOf,
} from '#core/domain/board/breakdown.ts';
import { dayName } from '#core/domain/counting/day.ts';
import { BASIS } from '#core/domain/metrics/day-series.ts';
import { type Distribution, distributionOf } from '#core/domain/metrics/distribution.ts';
import { forEachMetric } from '#core/domain/metrics/metrics.ts';
import { eligibilityIn } from '#core/domain/board/ruleset.ts';
import { type Spread, spreadOf } from '#core/domain/metrics/spread.ts';
import { type Standing, totalsOf } from '#core/domain/metrics/standing.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import { placeAt } from '../state/blocks.ts';
import type { BoardOrders, BoardState } from '../state/board-state.ts';
import { boardPlace, type BoardPlace, partsIn, rowIn } from '../state/sheet.ts';
import { isRankedAt, metricAt, type RowPlace, standingAt } from '../state/standing-row.ts';
import { type BoardChunk, countAmong, placesIn, type Span } from './board-span.ts';
import { type Medians, mediansOf, slotsInFigures, valuesOf } from './medians.ts';
import type { Among, PublishedOperators } from './published-operators.ts';
import { Ranking } from './ranking.ts';

interface OperatorDetails {
  standing: Standing;
  places: Record<MetricName, MetricStanding>;
  parts: SourceUsage[];
}

/** An operator's ranks on a board one and seven days before; null if there was no such board, 0 if unranked. */
export type EarlierRanks = (
  board: BoardOrders,
  metric: MetricName,
  operator_id: number,
) => {
  day: number | null;
  week: number | null;
};

export interface BoardSource {
  operators: PublishedOperators;
  state: BoardState;
  board: BoardOrders;
  earlier: EarlierRanks;
}

/** The boards of one window and slice, of all operators or a selection. */
export class PublishedBoard {
  readonly #source: BoardSource;
  readonly #operators: PublishedOperators;
  readonly #place: BoardPlace;
  readonly #chosen: Among | undefined;
  /** Cached results, by name. */
  readonly #known = new Map<string, unknown>();

  constructor(source: BoardSource, chosen?: Among) {
    const { board, operators, state } = source;
    this.#source = source;
    this.#operators = operators;
    this.#place = boardPlace(state.toolNames, board.slice, board.window);
    this.#chosen = chosen;
  }

  /** The same board for some operators, ranked among themselves. */
  of(chosen: Among): PublishedBoard {
    return new PublishedBoard(this.#source, chosen);
  }

  /** How many operators are ranked by a metric. */
  total(metric: MetricName, among?: Among): number {
    return countAmong(this.#ranking(metric).ranked, this.#operators, among);
  }

  unrankedTotal(metric: MetricName, among?: Among): number {
    return countAmong(this.#ranking(metric).unranked, this.#operators, among);
  }

  /** The medians of ranked operators. */
  medians(metric: MetricName): Medians {
    return this.#once(`medians by ${metric}`, () =>
      mediansOf(this.#ranking(metric).byValue, this.#operators, (slot) => {
        const { numbers, at } = this.#rowAt(slot);
        return metricAt(numbers, at, metric);
      }),
    );
  }

  /**
   * The distribution of ranked operators' values, without those who opted out of aggregates; null with fewer than
   * five.
   */
  distribution(metric: MetricName): Distribution | null {
    return this.#once(`distribution by ${metric}`, () =>
      distributionOf(metric, this.#valuesBy(metric, metric)),
    );
  }

  /**
   * Leverage and velocity of operators ranked by yield, without those who opted out of aggregates; null with fewer
   * than five.
   */
  spread(): Spread | null {
    const values = (metric: MetricName) => this.#valuesBy('yield', metric);
    return this.#once('spread', () => spreadOf(values('leverage'), values('velocity')));
  }

  /** Ranked entries, best first. */
  ranked(metric: MetricName, span: Span): BoardChunk<BoardEntry> {
    const { places, next } = placesIn(this.#ranking(metric).ranked, this.#operators, span);
    return { entries: places.map((place) => this.#rankedEntry(metric, place)), next };
  }

  /** Unranked entries, by codename. */
  unranked(metric: MetricName, span: Span): BoardChunk<UnrankedEntry> {
    const { unranked } = this.#ranking(metric);
    const { places, next } = placesIn(unranked, this.#operators, span);
    const entries = places.map((place) => this.#unrankedEntry(metric, unranked[place] as number));
    return { entries, next };
  }

  /** One operator's entry: ranked, or with the reason why not; null without tokens in the window. */
  find(metric: MetricName, codename: string): BoardEntry | UnrankedEntry | null {
    const slot = this.#slotOf(codename);
    if (slot === null) return null;
    const place = this.#placeOf(metric, slot);
    return place === null ? this.#unrankedEntry(metric, slot) : this.#rankedEntry(metric, place);
  }

  /** All tools of an operator in the window, sorted. */
  toolsOf(codename: string): string[] {
    return toolsOf(this.parts(codename));
  }

  /** One operator's standing, its ranks by all metrics, and its parts; null without tokens in the window. */
  detail(codename: string): OperatorDetails | null {
    const slot = this.#slotOf(codename);
    if (slot === null) return null;
    const standing = standingAt(this.#rowAt(slot));
    const places = forEachMetric((metric) => this.#standingBy(metric, slot, standing));
    return { standing, places, parts: this.#parts(slot) };
  }

  /** The sources of an operator's tokens in the window; empty without any. */
  parts(codename: string): SourceUsage[] {
    const slot = this.#slotOf(codename);
    return slot === null ? [] : this.#parts(slot);
  }

  #standingBy(metric: MetricName, slot: number, standing: Standing): MetricStanding {
    const ranking = this.#ranking(metric);
    const place = this.#placeOf(metric, slot);
    const isRanked = place !== null;
    return {
      value: standing.metrics[metric],
      rank: isRanked ? ranking.rankAt(place) : null,
      rank_range: isRanked ? ranking.rangeAt(place) : null,
      total: this.total(metric),
      percentile: isRanked ? ranking.percentileAt(place) : null,
      median: this.medians(metric).median,
      ...measured(standing, metric),
      reasons: isRanked ? [] : this.#reasons(metric, standing),
    };
  }

  #valuesBy(ranked: MetricName, metric: MetricName): Float64Array {
    const slots = slotsInFigures(this.#ranking(ranked).ranked, this.#operators);
    return valuesOf(slots, metric, this.#rowAt);
  }

  #ranking(metric: MetricName): Ranking {
    return this.#once(`ranking by ${metric}`, () => {
      const whole = new Ranking(this.#source.board.orders[metric], metric, this.#rowAt);
      const chosen = this.#chosen;
      return chosen ? whole.among((slot) => chosen[slot] === 1) : whole;
    });
  }

  #placeOf(metric: MetricName, slot: number): number | null {
    const { numbers, at } = this.#rowAt(slot);
    if (!isRankedAt(numbers, at, METRIC_NAMES.indexOf(metric))) return null;
    return this.#ranking(metric).placeOf(slot, (one) => this.#operators.codenameAt(one));
  }

  #once<Value>(name: string, compute: () => Value): Value {
    if (!this.#known.has(name)) this.#known.set(name, compute());
    return this.#known.get(name) as Value;
  }

  #rankedEntry(metric: MetricName, place: number): BoardEntry {
    const ranking = this.#ranking(metric);
    const slot = ranking.ranked[place] as number;
    const rank = ranking.rankAt(place);
    return {
      rank,
      rank_range: ranking.rangeAt(place),
      movement: this.#movement(metric, slot, rank),
      ...this.#entryOf(metric, slot),
    };
  }

  /** A selection has no earlier ranks. */
  #movement(metric: MetricName, slot: number, rank: number): Movement {
    if (this.#chosen) return { day: null, week: null };
    const { earlier, board, state } = this.#source;
    const { day, week } = earlier(board, metric, state.operators.ids[slot] as number);
    return { day: climbed(day, rank), week: climbed(week, rank) };
  }

  #entryOf(metric: MetricName, slot: number): OperatorSummary & ReturnType<typeof measured> {
    const standing = standingAt(this.#rowAt(slot));
    const parts = this.#parts(slot);
    const { codename, display_name, class_tier } = this.#operators.at(slot);
    return {
      codename,
      display_name,
      class_tier,
      trust: trustOf(parts),
      metrics: standing.metrics,
      totals: totalsOf(standing.bases.all),
      tools: shownTools(parts),
      last_active: dayName(standing.last_active),
      ...measured(standing, metric),
    };
  }

  #unrankedEntry(metric: MetricName, slot: number): UnrankedEntry {
    const reasons = this.#reasons(metric, standingAt(this.#rowAt(slot)));
    return { ...this.#entryOf(metric, slot), reasons };
  }

  #reasons(metric: MetricName, standing: Standing) {
    const { state, board } = this.#source;
    return whatIsMissing(standing, metric, eligibilityIn(state.rules, board.window));
  }

  readonly #rowAt = (slot: number): RowPlace =>
    placeAt(this.#source.state.numbers, this.#rowPosition(slot));

  /** 0 without tokens in the window. */
  #rowPosition(slot: number): number {
    const { numbers, operators } = this.#source.state;
    return rowIn(numbers, operators.sheets[slot] as number, this.#place);
  }

  #parts(slot: number): SourceUsage[] {
    const { state, board } = this.#source;
    const sheet = state.operators.sheets[slot] as number;
    const parts = partsIn(state.numbers, sheet, WINDOWS.indexOf(board.window), state.sources);
    return partsInSlice(parts, board.slice);
  }

  #slotOf(codename: string): number | null {
    const slot = this.#operators.positionOf(codename);
    if (slot === null || this.#chosen?.[slot] === 0) return null;
    return this.#rowPosition(slot) === 0 ? null : slot;
  }
}

function measured({ conservative, intervals, coverage, bases }: Standing, metric: MetricName) {
  const basis = BASIS[metric];
  return {
    conservative: conservative[metric],
    interval: intervals[metric],
    coverage: coverage[basis],
    active_days: bases[basis].active_days,
  };
}

function climbed(before: number | null, rank: number): number | null {
  return before === null || before === 0 ? null : before - rank;
}
