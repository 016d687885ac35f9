import type { TrustFilter, WindowName } from '#core/schema/board.ts';
import { type BoardSlice, rankingValue } from '#core/domain/board.ts';
import { type SourceUsage, partsOf, toolsOf, trustOf } from '#core/domain/breakdown.ts';
import { METRIC_NAMES } from '#core/domain/metrics.ts';
import type { Ruleset } from '#core/domain/ruleset.ts';
import { type DayUsage, type Standing, standingOf } from '#core/domain/standing.ts';
import { WINDOWS, firstDayOf } from '#core/domain/window.ts';
import { STANDING_NUMBERS, writeStanding } from './standing-numbers.ts';

/** A row: the standing, the value that each metric ranks by (NaN for none), all tokens (0 for no row). */
export const VALUES_AT = STANDING_NUMBERS;
export const TOTAL_AT = VALUES_AT + METRIC_NAMES.length;
const ROW_NUMBERS = TOTAL_AT + 1;
const SLICE_NUMBERS = WINDOWS.length * ROW_NUMBERS;

/** The days that windows end with, and the rules that they are ranked by. */
export interface Term {
  last: number;
  ruleset: Ruleset;
}

/**
 * One operator's rows on all boards of a day, as long as nothing of it changes. Numbers in one array:
 * hundreds of thousands of standings as objects would keep the collector busy.
 */
export class ProjectedOperator {
  /** What the tokens in each window come from. */
  readonly parts: Readonly<Record<WindowName, SourceUsage[]>>;
  /** The tools with any token in all time. */
  readonly tools: readonly string[];
  readonly isSelfReported: boolean;
  /** The rows of all slices; those that count the same buckets are written once. */
  readonly rows: Float64Array;
  readonly #slices: ReadonlyMap<string, number>;

  /** @param usage The operator's counting buckets, sorted by day. */
  constructor(usage: readonly DayUsage[], term: Term) {
    const parts = WINDOWS.map((window) => {
      return [window, partsOf(usage, firstDayOf(window, term.last), term.last)];
    });
    this.parts = Object.fromEntries(parts) as Record<WindowName, SourceUsage[]>;
    this.tools = toolsOf(this.parts.all_time);
    this.isSelfReported = trustOf(this.parts.all_time) !== 'signed';
    const slices = usageBySlice(usage);
    const distinct = [...new Set(slices.values())];
    this.rows = new Float64Array(distinct.length * SLICE_NUMBERS);
    distinct.forEach((ofSlice, index) =>
      writeSlice(this.rows, index * SLICE_NUMBERS, ofSlice, term),
    );
    this.#slices = new Map(
      [...slices].map(([key, ofSlice]) => [key, distinct.indexOf(ofSlice) * SLICE_NUMBERS]),
    );
  }

  /** Where the row of a board begins; null without tokens there. */
  rowAt({ tool, trust }: BoardSlice, window: WindowName): number | null {
    const slice = this.#slices.get(keyOf(trust, tool ?? ''));
    if (slice === undefined) return null;
    const at = slice + WINDOWS.indexOf(window) * ROW_NUMBERS;
    return (this.rows[at + TOTAL_AT] as number) > 0 ? at : null;
  }
}

function keyOf(trust: TrustFilter, tool: string): string {
  return `${trust} ${tool}`;
}

/** The buckets that each slice counts; the same array where they are the same. */
function usageBySlice(usage: readonly DayUsage[]): Map<string, readonly DayUsage[]> {
  const signed = usage.filter(({ source }) => source.trust === 'signed');
  const ofSigned = byTool(signed);
  const ofAll = signed.length === usage.length ? ofSigned : byTool(usage);
  const slices = new Map<string, readonly DayUsage[]>();
  for (const [tool, ofTool] of ofSigned) slices.set(keyOf('signed', tool), ofTool);
  for (const [tool, ofTool] of ofAll) slices.set(keyOf('all', tool), ofTool);
  return slices;
}

/** Buckets by tool, and under the empty name all of them; the same array where they are the same. */
function byTool(usage: readonly DayUsage[]): Map<string, readonly DayUsage[]> {
  const tools: Map<string, readonly DayUsage[]> = Map.groupBy(usage, ({ source }) => source.tool);
  const [only] = tools.keys();
  if (only !== undefined && tools.size === 1) tools.set(only, usage);
  return tools.set('', usage);
}

/** Writes the rows of all windows. */
function writeSlice(
  rows: Float64Array,
  start: number,
  usage: readonly DayUsage[],
  { last, ruleset }: Term,
): void {
  const whole = standingOf(usage, Number.NEGATIVE_INFINITY, last, ruleset.active_day_tokens);
  const [earliest] = usage;
  WINDOWS.forEach((window, index) => {
    const first = firstDayOf(window, last);
    const isWhole = earliest === undefined || earliest.day >= first;
    const standing = isWhole ? whole : standingOf(usage, first, last, ruleset.active_day_tokens);
    if (standing) writeRow(rows, start + index * ROW_NUMBERS, { standing, window, ruleset });
  });
}

function writeRow(
  rows: Float64Array,
  at: number,
  { standing, window, ruleset }: { standing: Standing; window: WindowName; ruleset: Ruleset },
): void {
  writeStanding(rows, at, standing);
  METRIC_NAMES.forEach((metric, index) => {
    rows[at + VALUES_AT + index] = rankingValue(standing, metric, window, ruleset) ?? Number.NaN;
  });
  rows[at + TOTAL_AT] = standing.bases.all.total;
}
