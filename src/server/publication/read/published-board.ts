import type { BoardEntry, Movement, OperatorSummary, UnrankedEntry } from '#core/schema/board.ts';
import type { MetricStanding } from '#core/schema/operator.ts';
import type { MetricName } from '#core/schema/record.ts';
import { percentileOf, whatIsMissing } from '#core/domain/board/board.ts';
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
import { chosenRanking, type Medians, mediansOf, rowsInFigures, valuesOf } from './medians.ts';
import {
  type BoardColumns,
  type PartColumns,
  type RankingColumns,
  type SharedColumns,
  partsAt,
} from './columns.ts';
import { type Among, type PublishedOperators, indexIn } from './published-operators.ts';
import { STANDING_NUMBERS, standingAt } from './standing-numbers.ts';

/** A part of a list: at most `limit` entries from place `from`, of all operators or only those in `among`. */
export interface Span {
  from: number;
  limit: number;
  among?: Among | undefined;
}

interface OperatorDetails {
  standing: Standing;
  places: Record<MetricName, MetricStanding>;
  parts: SourceUsage[];
}

interface BoardChunk<Entry> {
  entries: Entry[];
  /** The place at which the next part begins; null at the end. */
  next: number | null;
}

/** The boards of one window and slice, of all operators or a selection. */
export class PublishedBoard {
  readonly #operators: PublishedOperators;
  readonly #shared: SharedColumns;
  readonly #columns: BoardColumns;
  readonly #chosen: Among | undefined;
  /** Cached results, by name. */
  readonly #known = new Map<string, unknown>();

  constructor(
    operators: PublishedOperators,
    shared: SharedColumns,
    columns: BoardColumns,
    chosen?: Among,
  ) {
    this.#operators = operators;
    this.#shared = shared;
    this.#columns = columns;
    this.#chosen = chosen;
  }

  /** The same board for some operators, ranked among themselves. */
  of(chosen: Among): PublishedBoard {
    return new PublishedBoard(this.#operators, this.#shared, this.#columns, chosen);
  }

  /** How many operators are ranked by a metric. */
  total(metric: MetricName, among?: Among): number {
    return this.#count(this.#ranking(metric).ranked, among);
  }

  unrankedTotal(metric: MetricName, among?: Among): number {
    return this.#count(this.#ranking(metric).unranked, among);
  }

  /** The medians of ranked operators. */
  medians(metric: MetricName): Medians {
    return this.#once(`medians by ${metric}`, () =>
      mediansOf(this.#columns, this.#ranking(metric), metric, this.#operators),
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
    const { places, next } = this.#places(this.#ranking(metric).ranked, span);
    return { entries: places.map((place) => this.#rankedEntry(metric, place)), next };
  }

  /** Unranked entries, by codename. */
  unranked(metric: MetricName, span: Span): BoardChunk<UnrankedEntry> {
    const { unranked } = this.#ranking(metric);
    const { places, next } = this.#places(unranked, span);
    const entries = places.map((place) => this.#unrankedEntry(metric, unranked[place] as number));
    return { entries, next };
  }

  /** One operator's entry: ranked, or with the reason why not; null without tokens in the window. */
  find(metric: MetricName, codename: string): BoardEntry | UnrankedEntry | null {
    const row = this.#rowOf(codename);
    if (row === null) return null;
    const place = this.#ranking(metric).ranked.indexOf(row);
    return place < 0 ? this.#unrankedEntry(metric, row) : this.#rankedEntry(metric, place);
  }

  /** All tools of an operator in the window, sorted. */
  toolsOf(codename: string): string[] {
    const row = this.#rowOf(codename);
    return row === null ? [] : toolsOf(this.#parts(row));
  }

  /** One operator's standing, its ranks by all metrics, and its parts; null without tokens in the window. */
  detail(codename: string): OperatorDetails | null {
    const row = this.#rowOf(codename);
    if (row === null) return null;
    const standing = this.#standing(row);
    const places = forEachMetric((metric) => this.#standingBy(metric, row, standing));
    return { standing, places, parts: this.#parts(row) };
  }

  /** The sources of an operator's tokens in the window; empty without any. */
  parts(codename: string): SourceUsage[] {
    const row = this.#rowOf(codename);
    return row === null ? [] : this.#parts(row);
  }

  #standingBy(metric: MetricName, row: number, standing: Standing): MetricStanding {
    const ranking = this.#ranking(metric);
    const { ranked, ranks } = ranking;
    const place = ranked.indexOf(row);
    const isRanked = place >= 0;
    return {
      value: standing.metrics[metric],
      rank: isRanked ? (ranks[place] as number) : null,
      rank_range: isRanked ? rangeAt(ranking, place) : null,
      total: this.total(metric),
      percentile: isRanked ? percentileOf(ranks, place) : null,
      median: this.medians(metric).median,
      ...measured(standing, metric),
      reasons: isRanked ? [] : this.#reasons(metric, standing),
    };
  }

  #valuesBy(ranked: MetricName, metric: MetricName): Float64Array {
    const rows = rowsInFigures(this.#columns, this.#ranking(ranked), this.#operators);
    return valuesOf(this.#columns, rows, metric);
  }

  #ranking(metric: MetricName): RankingColumns {
    const chosen = this.#chosen;
    if (!chosen) return this.#columns.rankings[metric];
    return this.#once(`ranking by ${metric}`, () => chosenRanking(this.#columns, metric, chosen));
  }

  #once<Value>(name: string, compute: () => Value): Value {
    if (!this.#known.has(name)) this.#known.set(name, compute());
    return this.#known.get(name) as Value;
  }

  #rankedEntry(metric: MetricName, place: number): BoardEntry {
    const ranking = this.#ranking(metric);
    return {
      rank: ranking.ranks[place] as number,
      rank_range: rangeAt(ranking, place),
      movement: movementAt(ranking, place),
      ...this.#entryOf(metric, ranking.ranked[place] as number),
    };
  }

  #entryOf(metric: MetricName, row: number): OperatorSummary & ReturnType<typeof measured> {
    const standing = this.#standing(row);
    const parts = this.#parts(row);
    const { codename, display_name, class_tier } = this.#operators.at(
      this.#columns.operators[row] as number,
    );
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

  #unrankedEntry(metric: MetricName, row: number): UnrankedEntry {
    const reasons = this.#reasons(metric, this.#standing(row));
    return { ...this.#entryOf(metric, row), reasons };
  }

  #reasons(metric: MetricName, standing: Standing) {
    const eligibility = eligibilityIn(this.#shared.rules, this.#columns.window);
    return whatIsMissing(standing, metric, eligibility);
  }

  #standing(row: number): Standing {
    return standingAt(this.#columns.standings, row * STANDING_NUMBERS);
  }

  #parts(row: number): SourceUsage[] {
    const { window, slice, operators } = this.#columns;
    const columns = this.#shared.parts.find((parts) => parts.window === window) as PartColumns;
    const parts = partsAt(columns, this.#shared.sources, operators[row] as number);
    return partsInSlice(parts, slice);
  }

  #rowOf(codename: string): number | null {
    const position = this.#operators.positionOf(codename);
    if (position === null || this.#chosen?.[position] === 0) return null;
    const { operators } = this.#columns;
    return indexIn(operators.length, position, (row) => operators[row] as number);
  }

  #isAmong(row: number, among: Among | undefined): boolean {
    const position = this.#columns.operators[row] as number;
    return !this.#operators.isWithheld(position) && (among === undefined || among[position] === 1);
  }

  #count(rows: Uint32Array, among: Among | undefined): number {
    if (among === undefined && this.#operators.withheld === 0) return rows.length;
    return rows.reduce((count, row) => count + (this.#isAmong(row, among) ? 1 : 0), 0);
  }

  #places(rows: Uint32Array, { from, limit, among }: Span) {
    const places: number[] = [];
    for (let place = from; place < rows.length; place += 1) {
      if (!this.#isAmong(rows[place] as number, among)) continue;
      if (places.length === limit) return { places, next: place };
      places.push(place);
    }
    return { places, next: null };
  }
}

function measured({ intervals, coverage, bases }: Standing, metric: MetricName) {
  const basis = BASIS[metric];
  return {
    interval: intervals[metric],
    coverage: coverage[basis],
    active_days: bases[basis].active_days,
  };
}

function rangeAt({ best, worst }: RankingColumns, place: number): [number, number] {
  return [best[place] as number, worst[place] as number];
}

function movementAt({ ranks, earlier }: RankingColumns, place: number): Movement {
  const climbed = (before: Uint32Array | null) => {
    const rank = before?.[place] ?? 0;
    return rank === 0 ? null : rank - (ranks[place] as number);
  };
  return { day: climbed(earlier.day), week: climbed(earlier.week) };
}
