import type { BoardEntry, OperatorSummary, UnrankedEntry } from '#core/schema/board.ts';
import type { MetricStanding } from '#core/schema/operator.ts';
import type { MetricName } from '#core/schema/record.ts';
import { percentileOf, whatIsMissing } from '#core/domain/board.ts';
import { type SourceUsage, partsInSlice, toolsOf, trustOf } from '#core/domain/breakdown.ts';
import { dayName } from '#core/domain/day.ts';
import { BASIS, type Standing, totalsOf } from '#core/domain/standing.ts';
import { type BoardColumns, type PartColumns, type SharedColumns, partsAt } from './columns.ts';
import { type Among, type PublishedOperators, indexIn } from './published-operators.ts';
import { STANDING_NUMBERS, standingAt } from './standing-numbers.ts';

/** A piece of a list: at most `limit` from place `from` on, of all or only `among` some. */
export interface Span {
  from: number;
  limit: number;
  among?: Among | undefined;
}

export interface Piece<Entry> {
  entries: Entry[];
  /** Where to go on; null at the end. */
  next: number | null;
}

/** The boards of one window and slice. */
export class PublishedBoard {
  readonly #operators: PublishedOperators;
  readonly #shared: SharedColumns;
  readonly #columns: BoardColumns;

  constructor(operators: PublishedOperators, shared: SharedColumns, columns: BoardColumns) {
    this.#operators = operators;
    this.#shared = shared;
    this.#columns = columns;
  }

  /** How many operators are ranked by a metric. */
  total(metric: MetricName, among?: Among): number {
    return this.#count(this.#columns.rankings[metric].ranked, among);
  }

  unrankedTotal(metric: MetricName, among?: Among): number {
    return this.#count(this.#columns.rankings[metric].unranked, among);
  }

  /** Ranked entries, best first. */
  ranked(metric: MetricName, span: Span): Piece<BoardEntry> {
    const { ranked, ranks } = this.#columns.rankings[metric];
    const { places, next } = this.#places(ranked, span);
    const entries = places.map((place) => ({
      rank: ranks[place] as number,
      ...this.#entryOf(metric, ranked[place] as number),
    }));
    return { entries, next };
  }

  /** Unranked entries, by codename. */
  unranked(metric: MetricName, span: Span): Piece<UnrankedEntry> {
    const { unranked } = this.#columns.rankings[metric];
    const { places, next } = this.#places(unranked, span);
    const entries = places.map((place) => this.#unrankedEntry(metric, unranked[place] as number));
    return { entries, next };
  }

  /** One operator's place on a board: ranked, or why not; null without tokens in the window. */
  find(metric: MetricName, codename: string): BoardEntry | UnrankedEntry | null {
    const row = this.#rowOf(codename);
    if (row === null) return null;
    const { ranked, ranks } = this.#columns.rankings[metric];
    const place = ranked.indexOf(row);
    if (place < 0) return this.#unrankedEntry(metric, row);
    return { rank: ranks[place] as number, ...this.#entryOf(metric, row) };
  }

  /** One operator's standing and the parts that it is made of; null without tokens in the window. */
  detail(codename: string): { standing: Standing; parts: SourceUsage[] } | null {
    const row = this.#rowOf(codename);
    return row === null ? null : { standing: this.#standing(row), parts: this.#parts(row) };
  }

  /** Where one operator stands by a metric; the operator must have tokens in the window. */
  standingBy(metric: MetricName, codename: string): MetricStanding {
    const row = this.#rowOf(codename) as number;
    const { ranked, ranks } = this.#columns.rankings[metric];
    const place = ranked.indexOf(row);
    const isRanked = place >= 0;
    const standing = this.#standing(row);
    return {
      value: standing.metrics[metric],
      rank: isRanked ? (ranks[place] as number) : null,
      total: ranked.length,
      percentile: isRanked ? percentileOf(ranks, place) : null,
      ...measured(standing, metric),
      reasons: isRanked ? [] : this.#reasons(metric, standing),
    };
  }

  #entryOf(metric: MetricName, row: number): OperatorSummary & ReturnType<typeof measured> {
    const standing = this.#standing(row);
    const parts = this.#parts(row);
    const position = this.#columns.operators[row] as number;
    return {
      codename: this.#operators.codenameAt(position),
      display_name: this.#operators.displayNameAt(position),
      trust: trustOf(parts),
      metrics: standing.metrics,
      totals: totalsOf(standing.bases.all),
      tools: toolsOf(parts),
      last_active: dayName(standing.last_active),
      ...measured(standing, metric),
    };
  }

  #unrankedEntry(metric: MetricName, row: number): UnrankedEntry {
    const reasons = this.#reasons(metric, this.#standing(row));
    return { ...this.#entryOf(metric, row), reasons };
  }

  #reasons(metric: MetricName, standing: Standing) {
    return whatIsMissing(standing, metric, this.#columns.window, this.#shared.rules);
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
    if (position === null) return null;
    const { operators } = this.#columns;
    return indexIn(operators.length, position, (row) => operators[row] as number);
  }

  #isAmong(row: number, among: Among | undefined): boolean {
    return among === undefined || among[this.#columns.operators[row] as number] === 1;
  }

  #count(rows: Uint32Array, among: Among | undefined): number {
    if (among === undefined) return rows.length;
    return rows.reduce((count, row) => count + (this.#isAmong(row, among) ? 1 : 0), 0);
  }

  /** The places of a list that a span takes. */
  #places(
    rows: Uint32Array,
    { from, limit, among }: Span,
  ): { places: number[]; next: number | null } {
    const places: number[] = [];
    for (let place = from; place < rows.length; place += 1) {
      if (!this.#isAmong(rows[place] as number, among)) continue;
      if (places.length === limit) return { places, next: place };
      places.push(place);
    }
    return { places, next: null };
  }
}

function measured({ coverage, bases }: Standing, metric: MetricName) {
  const basis = BASIS[metric];
  return { coverage: coverage[basis], active_days: bases[basis].active_days };
}
