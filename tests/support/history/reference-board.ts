/** The boards of one moment, computed by brute force from the rules. */
import { type BoardSlice, rankingValue } from '#core/domain/board/board.ts';
import { type SourceUsage, partsInSlice } from '#core/domain/board/breakdown.ts';
import { type Eligibility, type Ruleset, eligibilityIn } from '#core/domain/board/ruleset.ts';
import { dayName, dayNumber } from '#core/domain/counting/day.ts';
import { classTierOf } from '#core/domain/metrics/class-tier.ts';
import { thetaOf } from '#core/domain/metrics/conservative.ts';
import { BASIS, seriesOf } from '#core/domain/metrics/day-series.ts';
import { METRIC_NAMES, unroundedMetric } from '#core/domain/metrics/metrics.ts';
import { type Standing, standingOf } from '#core/domain/metrics/standing.ts';
import { WINDOWS, firstDayOf } from '#core/domain/metrics/window.ts';
import type { ClassTier, Movement, WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { Store } from '#db/store.ts';
import { type ReferenceMember, readMembers, statedShare } from './reference-members.ts';

export interface ReferenceRow {
  member: ReferenceMember;
  standing: Standing;
  parts: readonly SourceUsage[];
}

/** A ranked row. Its movement is added where the board is shown. */
export interface RankedRow {
  row: ReferenceRow;
  low: number;
  rank: number;
  best: number;
  worst: number;
}

export interface ReferenceRanking {
  /** Best first. */
  ranked: readonly RankedRow[];
  /** By codename. */
  unranked: readonly ReferenceRow[];
}

export interface ReferenceBoard {
  window: WindowName;
  slice: BoardSlice;
  eligibility: Eligibility;
  rows: readonly ReferenceRow[];
  rankings: Readonly<Record<MetricName, ReferenceRanking>>;
}

/** All boards of a moment. */
export interface Reference {
  as_of: string;
  rules: Ruleset;
  moderation: { held_submissions: number; hidden_operators: number };
  members: readonly ReferenceMember[];
  tools: readonly string[];
  self_reported: boolean;
  slices: readonly BoardSlice[];
  boards: readonly ReferenceBoard[];
  classes: ReadonlyMap<number, ClassTier>;
}

export function referenceOf(store: Store, as_of: string, rules: Ruleset): Reference {
  const members = readMembers(store, as_of);
  const tools = toolsWithTwo(members);
  const slices = (['signed', 'all'] as const).flatMap((trust) =>
    [null, ...tools].map((tool) => ({ tool, trust })),
  );
  const last = dayNumber(as_of);
  const boards = slices.flatMap((slice) =>
    WINDOWS.map((window) => boardOf(members, { slice, window, last, rules })),
  );
  return {
    as_of,
    rules,
    moderation: store.moderation.counts(),
    members,
    tools,
    self_reported: members.some(({ isSelfReported }) => isSelfReported),
    slices,
    boards,
    classes: classesOf(boards),
  };
}

/** The board of a slice and window. */
export function boardIn({ boards }: Reference, slice: BoardSlice, window: WindowName) {
  const found = boards.find((board) => {
    const { tool, trust } = board.slice;
    return board.window === window && tool === slice.tool && trust === slice.trust;
  });
  if (!found) throw new Error(`There is no reference for ${JSON.stringify(slice)} ${window}`);
  return found;
}

/** Ranks rows by definition, comparing each with each. Rows must be in the order of codenames. */
export function rankRows(
  rows: readonly ReferenceRow[],
  metric: MetricName,
  eligibility: Eligibility,
): ReferenceRanking {
  const all = rows.map((row, position) => {
    const { standing } = row;
    const low = rankingValue(standing, metric, eligibility);
    const [lowest, highest] = boundsOf(standing, metric);
    return { row, position, low, lowest, highest, total: standing.bases.all.total };
  });
  const contenders = all.flatMap(({ low, ...rest }) => (low === null ? [] : [{ ...rest, low }]));
  const count = (holds: (other: (typeof contenders)[number]) => boolean) =>
    contenders.filter(holds).length;
  const ranked = contenders
    .toSorted((a, b) => b.low - a.low || b.total - a.total || a.position - b.position)
    .map(({ row, low, lowest, highest }) => ({
      row,
      low,
      rank: 1 + count((other) => other.low > low),
      best: 1 + count((other) => other.lowest > highest),
      worst: contenders.length - count((other) => other.highest < lowest),
    }));
  return { ranked, unranked: all.filter(({ low }) => low === null).map(({ row }) => row) };
}

/** Intervals by weeks are drawn in by the square root of 2 on the metric's scale. */
function boundsOf({ bases, halves, intervals }: Standing, metric: MetricName) {
  if (!halves) {
    const [low, high] = intervals[metric] ?? [Number.NaN, null];
    return [low, high ?? Number.POSITIVE_INFINITY] as const;
  }
  const theta = thetaOf(metric, unroundedMetric(metric, bases[BASIS[metric]]) ?? Number.NaN);
  const half = (halves[metric] ?? Number.NaN) * Math.SQRT1_2;
  return [theta - half, theta + half] as const;
}

function boardOf(
  members: readonly ReferenceMember[],
  of: { slice: BoardSlice; window: WindowName; last: number; rules: Ruleset },
): ReferenceBoard {
  const { slice, window, last, rules } = of;
  const eligibility = eligibilityIn(rules, window);
  const rows = members.flatMap((member): ReferenceRow[] => {
    const series = seriesOf(usageIn(member, slice));
    const first = firstDayOf(window, last);
    const counted = standingOf(series, first, last, rules);
    if (!counted) return [];
    const stated_days = statedShare(member, { first, last }, rules.stated_days);
    const standing = { ...counted, stated_days };
    return [{ member, standing, parts: partsInSlice(member.parts[window], slice) }];
  });
  const rankings = METRIC_NAMES.map((metric) => [metric, rankRows(rows, metric, eligibility)]);
  const byMetric = Object.fromEntries(rankings) as ReferenceBoard['rankings'];
  return { window, slice, eligibility, rows, rankings: byMetric };
}

/** The daily counts of a member in a slice. */
export function usageIn({ usage }: ReferenceMember, { tool, trust }: BoardSlice) {
  return usage.filter(({ source }) => {
    return (tool === null || source.tool === tool) && (trust === 'all' || source.trust === trust);
  });
}

/** The tools of at least two members, most members first, then by name. */
function toolsWithTwo(members: readonly ReferenceMember[]): string[] {
  const usersOf = (tool: string) => members.filter(({ tools }) => tools.includes(tool)).length;
  return [...new Set(members.flatMap(({ tools }) => tools))]
    .filter((tool) => usersOf(tool) >= 2)
    .sort((a, b) => usersOf(b) - usersOf(a) || (a < b ? -1 : 1))
    .slice(0, 50);
}

function classesOf(boards: readonly ReferenceBoard[]): Map<number, ClassTier> {
  const board = boards.find(({ window, slice }) => {
    return window === '90d' && slice.tool === null && slice.trust === 'signed';
  });
  const ranked = board?.rankings.yield.ranked ?? [];
  return new Map(ranked.map(({ row, low }) => [row.member.id, classTierOf(low)]));
}

const DAYS_BEFORE: Readonly<Record<keyof Movement, number>> = { day: 1, week: 7 };

/** The last board of each day, from which movement follows. */
export class ReferenceDays {
  readonly #days: Map<string, Reference>;
  #newest = '';

  constructor(days: Iterable<readonly [string, Reference]> = []) {
    this.#days = new Map(days);
  }

  /** The same days, to which nothing will be added. */
  copy(): ReferenceDays {
    return new ReferenceDays(this.#days);
  }

  /** The days with which a board is compared, if their boards exist. */
  comparedWith(as_of: string): string[] {
    const days = Object.values(DAYS_BEFORE).map((before) => dayName(dayNumber(as_of) - before));
    return days.filter((day) => this.#days.has(day));
  }

  /** Adds a published board. The last one of a day stays, and what the clock does after that day changes nothing. */
  add(reference: Reference): void {
    const { as_of } = reference;
    const isKept = as_of < this.#newest && this.#days.has(as_of);
    if (!isKept) this.#days.set(as_of, reference);
    if (as_of > this.#newest) this.#newest = as_of;
  }

  /**
   * How far an operator climbed; null if it was unranked, or if there was no such board. If no self-reports count, the
   * board of all is the signed one, also in the past.
   */
  movement(
    { as_of, self_reported }: Reference,
    { slice: { tool, ...asked }, window }: Pick<ReferenceBoard, 'slice' | 'window'>,
    metric: MetricName,
    { row, rank }: RankedRow,
  ): Movement {
    const slice = { tool, trust: self_reported ? asked.trust : 'signed' } as const;
    const since = (span: keyof Movement) => {
      const day = this.#days.get(dayName(dayNumber(as_of) - DAYS_BEFORE[span]));
      const isMissing = !day || (tool !== null && !day.tools.includes(tool));
      if (isMissing) return null;
      const { ranked } = boardIn(day, slice, window).rankings[metric];
      const before = ranked.find((earlier) => earlier.row.member.id === row.member.id);
      return before ? before.rank - rank : null;
    };
    return { day: since('day'), week: since('week') };
  }
}
