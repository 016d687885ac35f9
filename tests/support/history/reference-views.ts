/** What readers see of the reference boards, in the form of the publication's answers. */
import { whatIsMissing } from '#core/domain/board/board.ts';
import { shownTools, toolsOf, trustOf } from '#core/domain/board/breakdown.ts';
import { dayName } from '#core/domain/counting/day.ts';
import { BASIS } from '#core/domain/metrics/day-series.ts';
import { distributionOf } from '#core/domain/metrics/distribution.ts';
import { METRIC_NAMES, significant, unroundedMetric } from '#core/domain/metrics/metrics.ts';
import { spreadOf } from '#core/domain/metrics/spread.ts';
import { totalsOf } from '#core/domain/metrics/standing.ts';
import { ClassTier, type Movement } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import {
  type RankedRow,
  type Reference,
  type ReferenceBoard,
  type ReferenceDays,
  type ReferenceRanking,
  type ReferenceRow,
  rankRows,
} from './reference-board.ts';
import type { ReferenceMember } from './reference-members.ts';

interface ViewOptions {
  reference: Reference;
  days: ReferenceDays;
  board: ReferenceBoard;
  /** The members among whom a selection ranks; null for the whole board. */
  chosen: ((member: ReferenceMember) => boolean) | null;
  /** Operators who are left out of every response, by ID. */
  withheld: ReadonlySet<number>;
}

interface ReferenceSpan {
  from: number;
  limit: number;
  among: ((member: ReferenceMember) => boolean) | null;
}

/** The fewest operators for a median, and for a percentile. */
const MIN_FOR_MEDIAN = 5;
const MIN_FOR_PERCENTILE = 20;

/** The boards of one window and slice, of all operators or a selection. */
export class ReferenceView {
  readonly #of: ViewOptions;
  readonly #rankings = new Map<MetricName, ReferenceRanking>();

  constructor(options: ViewOptions) {
    this.#of = options;
  }

  total(metric: MetricName, among: ReferenceSpan['among'] = null): number {
    return this.ranking(metric).ranked.filter(({ row }) => this.#isShown(row, among)).length;
  }

  unrankedTotal(metric: MetricName, among: ReferenceSpan['among'] = null): number {
    return this.ranking(metric).unranked.filter((row) => this.#isShown(row, among)).length;
  }

  ranked(metric: MetricName, span: ReferenceSpan) {
    const { ranked } = this.ranking(metric);
    const { found, next } = this.#page(ranked, ({ row }) => row, span);
    return { entries: found.map((one) => this.#rankedEntry(metric, one)), next };
  }

  unranked(metric: MetricName, span: ReferenceSpan) {
    const { unranked } = this.ranking(metric);
    const { found, next } = this.#page(unranked, (row) => row, span);
    return { entries: found.map((row) => this.#unrankedEntry(metric, row)), next };
  }

  find(metric: MetricName, codename: string) {
    const row = this.#rowOf(codename);
    if (!row) return null;
    const one = this.ranking(metric).ranked.find((ranked) => ranked.row === row);
    return one ? this.#rankedEntry(metric, one) : this.#unrankedEntry(metric, row);
  }

  detail(codename: string) {
    const row = this.#rowOf(codename);
    if (!row) return null;
    const places = METRIC_NAMES.map((metric) => [metric, this.#place(metric, row)]);
    return { standing: row.standing, places: Object.fromEntries(places), parts: row.parts };
  }

  parts(codename: string) {
    return this.#rowOf(codename)?.parts ?? [];
  }

  toolsOf(codename: string): string[] {
    return toolsOf(this.parts(codename));
  }

  medians(metric: MetricName) {
    const rows = this.#inFigures(metric);
    const tiers = rows.map((row) => this.#classOf(row));
    const classes = ClassTier.options
      .filter((tier) => tiers.includes(tier))
      .map((class_tier) => {
        const values = valuesOf(rows, metric).filter((_, at) => tiers[at] === class_tier);
        return { class_tier, n: values.length, median: medianOf(values) };
      });
    return { n: rows.length, median: medianOf(valuesOf(rows, metric)), classes };
  }

  distribution(metric: MetricName) {
    return distributionOf(metric, Float64Array.from(valuesOf(this.#inFigures(metric), metric)));
  }

  spread() {
    const rows = this.#inFigures('yield');
    const values = (metric: MetricName) => Float64Array.from(valuesOf(rows, metric));
    return spreadOf(values('leverage'), values('velocity'));
  }

  /** With the selection, but also with those who are withheld. */
  ranking(metric: MetricName): ReferenceRanking {
    const { board, chosen } = this.#of;
    if (!chosen) return board.rankings[metric];
    const rows = board.rows.filter(({ member }) => chosen(member));
    const known = this.#rankings.get(metric) ?? rankRows(rows, metric, board.eligibility);
    this.#rankings.set(metric, known);
    return known;
  }

  movement(metric: MetricName, one: RankedRow): Movement {
    const { reference, days, board, chosen } = this.#of;
    return chosen ? { day: null, week: null } : days.movement(reference, board, metric, one);
  }

  #rankedEntry(metric: MetricName, one: RankedRow) {
    return {
      rank: one.rank,
      rank_range: [one.best, one.worst],
      movement: this.movement(metric, one),
      ...this.#entry(metric, one.row),
    };
  }

  #unrankedEntry(metric: MetricName, row: ReferenceRow) {
    return { ...this.#entry(metric, row), reasons: this.#reasons(metric, row) };
  }

  #entry(metric: MetricName, row: ReferenceRow) {
    const { member, standing, parts } = row;
    return {
      codename: member.codename,
      display_name: member.display_name,
      class_tier: this.#classOf(row),
      trust: trustOf(parts),
      metrics: standing.metrics,
      totals: totalsOf(standing.bases.all),
      tools: shownTools(parts),
      last_active: dayName(standing.last_active),
      ...measured(row, metric),
    };
  }

  #place(metric: MetricName, row: ReferenceRow) {
    const { ranked } = this.ranking(metric);
    const one = ranked.find((candidate) => candidate.row === row);
    const below = ranked.filter(({ rank }) => one && rank > one.rank).length;
    const isPercentile = one && ranked.length >= MIN_FOR_PERCENTILE;
    return {
      value: row.standing.metrics[metric],
      rank: one?.rank ?? null,
      rank_range: one ? [one.best, one.worst] : null,
      total: this.total(metric),
      percentile: isPercentile ? significant(below / ranked.length) : null,
      median: this.medians(metric).median,
      ...measured(row, metric),
      reasons: one ? [] : this.#reasons(metric, row),
    };
  }

  #reasons(metric: MetricName, { standing }: ReferenceRow) {
    return whatIsMissing(standing, metric, this.#of.board.eligibility);
  }

  #classOf({ member }: ReferenceRow): ClassTier {
    return this.#of.reference.classes.get(member.id) ?? 'unclassed';
  }

  #inFigures(metric: MetricName): ReferenceRow[] {
    const rows = this.ranking(metric).ranked.map(({ row }) => row);
    return rows.filter((row) => row.member.in_figures && this.#isShown(row, null));
  }

  #rowOf(codename: string): ReferenceRow | undefined {
    const { board, chosen } = this.#of;
    return board.rows.find((row) => {
      const isNamed = row.member.codename === codename && (!chosen || chosen(row.member));
      return isNamed && this.#isShown(row, null);
    });
  }

  #isShown({ member }: ReferenceRow, among: ReferenceSpan['among']): boolean {
    return !this.#of.withheld.has(member.id) && (!among || among(member));
  }

  #page<One>(list: readonly One[], rowOf: (one: One) => ReferenceRow, span: ReferenceSpan) {
    const places = list.flatMap((one, place) => {
      return place >= span.from && this.#isShown(rowOf(one), span.among) ? [place] : [];
    });
    const found = places.slice(0, span.limit).map((place) => list[place] as One);
    return { found, next: places[span.limit] ?? null };
  }
}

function measured({ standing }: ReferenceRow, metric: MetricName) {
  const basis = BASIS[metric];
  return {
    conservative: standing.conservative[metric],
    interval: standing.intervals[metric],
    coverage: standing.coverage[basis],
    active_days: standing.bases[basis].active_days,
  };
}

function valuesOf(rows: readonly ReferenceRow[], metric: MetricName): number[] {
  return rows.map(({ standing }) => {
    return unroundedMetric(metric, standing.bases[BASIS[metric]]) ?? Number.NaN;
  });
}

/** The middle value, or the mean of the two in the middle. */
function medianOf(values: readonly number[]): number | null {
  if (values.length < MIN_FOR_MEDIAN) return null;
  const ascending = values.map(significant).sort((a, b) => a - b);
  const upper = ascending[Math.floor(values.length / 2)] as number;
  const lower = ascending[Math.ceil(values.length / 2) - 1] as number;
  return lower === upper ? upper : significant((lower + upper) / 2);
}
