import type { WindowName } from '#core/schema/board.ts';
import { type BoardSlice, rankingValue } from '#core/domain/board/board.ts';
import { type SourceUsage, partsOf, toolsOf, trustOf } from '#core/domain/board/breakdown.ts';
import type { RankedChallenge } from '#core/domain/board/challenge.ts';
import { type DaySeries, type DayUsage, seriesOf } from '#core/domain/metrics/day-series.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { type Eligibility, type Ruleset, eligibilityIn } from '#core/domain/board/ruleset.ts';
import { recordReach } from '#core/domain/board/signal-record.ts';
import { sliceKey, usageBySlice } from '#core/domain/board/slices.ts';
import { type Standing, standingOf } from '#core/domain/metrics/standing.ts';
import { WINDOWS, firstDayOf } from '#core/domain/metrics/window.ts';
import { STANDING_NUMBERS, writeStanding } from '../read/standing-numbers.ts';

/** A row: the standing, the conservative value of each metric (NaN for none), and all tokens (0 for no row). */
export const VALUES_AT = STANDING_NUMBERS;
export const TOTAL_AT = VALUES_AT + METRIC_NAMES.length;
const ROW_NUMBERS = TOTAL_AT + 1;
const SLICE_NUMBERS = WINDOWS.length * ROW_NUMBERS;

/** The days on which windows end, the ranking rules, and the current challenges. */
export interface Term {
  last: number;
  ruleset: Ruleset;
  challenges: readonly RankedChallenge[];
  /** Whether earlier windows may set records. */
  seeksRecords: boolean;
}

/**
 * One operator's rows on all boards of a day, kept until the operator's data changes. The numbers are in one array,
 * because hundreds of thousands of objects would keep the garbage collector busy. Plain data, because it is passed
 * between threads.
 */
export interface ProjectedOperator {
  parts: Readonly<Record<WindowName, SourceUsage[]>>;
  tools: readonly string[];
  isSelfReported: boolean;
  /**
   * The rows of all slices, where slices with the same daily counts share a row; those of the term's challenges; and
   * each metric's highest possible value in earlier windows that may set a record.
   */
  rows: Float64Array<ArrayBuffer>;
  slices: ReadonlyMap<string, number>;
}

/** @param usage The operator's counting daily counts, sorted by day. */
export function projectOperator(usage: readonly DayUsage[], term: Term): ProjectedOperator {
  const parts = partsOf(usage, term.last);
  const slices = usageBySlice(usage);
  const distinct = [...new Set(slices.values())];
  const series = distinct.map((ofSlice) => seriesOf(ofSlice));
  const signed = (tool: string | null) => {
    const ofSlice = slices.get(sliceKey({ tool, trust: 'signed' }));
    return ofSlice && series[distinct.indexOf(ofSlice)];
  };
  const contestsAt = distinct.length * SLICE_NUMBERS;
  const rows = new Float64Array(contestsAt + contestNumbers(term));
  series.forEach((ofSlice, index) => writeSlice(rows, index * SLICE_NUMBERS, ofSlice, term));
  writeContests(rows, contestsAt, signed, term);
  const begins = [...slices].map(([key, ofSlice]) => {
    return [key, distinct.indexOf(ofSlice) * SLICE_NUMBERS] as const;
  });
  return {
    parts,
    tools: toolsOf(parts.all_time),
    isSelfReported: trustOf(parts.all_time) !== 'signed',
    rows,
    slices: new Map(begins),
  };
}

/** Where a board's row begins in `rows`; null if it has no tokens. */
export function rowAt({ slices, rows }: ProjectedOperator, of: BoardSlice, window: WindowName) {
  const slice = slices.get(sliceKey(of));
  if (slice === undefined) return null;
  const at = slice + WINDOWS.indexOf(window) * ROW_NUMBERS;
  return (rows[at + TOTAL_AT] as number) > 0 ? at : null;
}

/** How many numbers the challenges and records take. */
function contestNumbers({ challenges }: Pick<Term, 'challenges'>): number {
  return challenges.length * ROW_NUMBERS + METRIC_NAMES.length;
}

/** Where the row of the challenge with this index begins; null if no tokens count in it. */
export function challengeRowAt(
  { rows }: ProjectedOperator,
  index: number,
  term: Pick<Term, 'challenges'>,
): number | null {
  const at = rows.length - contestNumbers(term) + index * ROW_NUMBERS;
  return (rows[at + TOTAL_AT] as number) > 0 ? at : null;
}

/**
 * The highest possible value of the metric with this index in earlier windows that may set a record; 0 if none is
 * sought.
 */
export function reachAt({ rows }: ProjectedOperator, index: number): number {
  return rows[rows.length - METRIC_NAMES.length + index] as number;
}

/** The row of a challenge, from the signed days of its tool. */
export function challengeRow(series: DaySeries, challenge: RankedChallenge): Float64Array {
  const row = new Float64Array(ROW_NUMBERS);
  writeChallenge(row, 0, series, challenge);
  return row;
}

function writeContests(
  rows: Float64Array,
  start: number,
  signed: (tool: string | null) => DaySeries | undefined,
  { last, ruleset, challenges, seeksRecords }: Term,
): void {
  challenges.forEach((challenge, index) => {
    const series = signed(challenge.tool);
    if (series) writeChallenge(rows, start + index * ROW_NUMBERS, series, challenge);
  });
  const ofAll = signed(null);
  if (!seeksRecords || !ofAll) return;
  const reach = recordReach(ofAll, last, eligibilityIn(ruleset, '30d'));
  METRIC_NAMES.forEach((metric, index) => {
    rows[rows.length - METRIC_NAMES.length + index] = reach[metric];
  });
}

function writeChallenge(
  rows: Float64Array,
  at: number,
  series: DaySeries,
  { first, last, eligibility }: RankedChallenge,
): void {
  const standing = standingOf(series, first, last, eligibility.active_day_tokens);
  if (standing) writeRow(rows, at, standing, eligibility);
}

function writeSlice(rows: Float64Array, start: number, series: DaySeries, { last, ruleset }: Term) {
  const standingFrom = (first: number) =>
    standingOf(series, first, last, ruleset.active_day_tokens);
  const whole = standingFrom(Number.NEGATIVE_INFINITY);
  const [earliest] = series.all.day;
  WINDOWS.forEach((window, index) => {
    const first = firstDayOf(window, last);
    const isWhole = earliest === undefined || earliest >= first;
    const standing = isWhole ? whole : standingFrom(first);
    const at = start + index * ROW_NUMBERS;
    if (standing) writeRow(rows, at, standing, eligibilityIn(ruleset, window));
  });
}

function writeRow(rows: Float64Array, at: number, standing: Standing, eligibility: Eligibility) {
  writeStanding(rows, at, standing);
  METRIC_NAMES.forEach((metric, index) => {
    rows[at + VALUES_AT + index] = rankingValue(standing, metric, eligibility) ?? Number.NaN;
  });
  rows[at + TOTAL_AT] = standing.bases.all.total;
}
