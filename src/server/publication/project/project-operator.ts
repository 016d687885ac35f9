import { rankingValue } from '#core/domain/board/board.ts';
import { partsOf, type SourceUsage, trustOf } from '#core/domain/board/breakdown.ts';
import type { RankedChallenge } from '#core/domain/board/challenge.ts';
import { type Eligibility, eligibilityIn, type Ruleset } from '#core/domain/board/ruleset.ts';
import { recordReach } from '#core/domain/board/signal-record.ts';
import { DEFAULT_SLICE, sliceKey, usageBySlice } from '#core/domain/board/slices.ts';
import { shareFor, type StatedSpans } from '#core/domain/board/stated-share.ts';
import { CLASS_WINDOW, classTierOf } from '#core/domain/metrics/class-tier.ts';
import { type DaySeries, type DayUsage, seriesOf } from '#core/domain/metrics/day-series.ts';
import { methodNamed } from '#core/domain/metrics/interval.ts';
import { METRIC_NAMES } from '#core/domain/metrics/metrics.ts';
import { firstConcerned, type Standing, standingOf } from '#core/domain/metrics/standing.ts';
import { firstDayOf, WINDOWS } from '#core/domain/metrics/window.ts';
import type { ClassTier } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { type NumberBlocks, type NumberHeap, placeAt } from '../state/blocks.ts';
import {
  MAX_ROW_NUMBERS,
  orNull,
  rowLength,
  type RowPlace,
  statedAt,
  valueAt,
  writeRow,
} from '../state/standing-row.ts';
import { boardPlace, partNumbers, rowIn, sheetNumbers, type ToolRows } from '../state/sheet.ts';
import type { Registry } from './registry.ts';

/** The days on which windows end, the ranking rules, and the current challenges. */
export interface Term {
  last: number;
  ruleset: Ruleset;
  challenges: readonly RankedChallenge[];
}

/** An operator's sheet of another day, made from the same daily counts and rules. */
export interface EarlierSheet {
  numbers: NumberBlocks;
  sheet: number;
  last: number;
}

export interface ProjectedOperator {
  /** The position of the sheet; 0 without tokens. */
  sheet: number;
  class_tier: ClassTier;
  isSelfReported: boolean;
}

const NOTHING: ProjectedOperator = { sheet: 0, class_tier: 'unclassed', isSelfReported: false };

/** Computes the rows of one operator after another, and writes them to shared memory. */
export class OperatorWriter {
  readonly #heap: NumberHeap;
  readonly #registry: Registry;
  readonly #term: Term;
  readonly #row = new Float64Array(MAX_ROW_NUMBERS);

  constructor(heap: NumberHeap, registry: Registry, term: Term) {
    this.#heap = heap;
    this.#registry = registry;
    this.#term = term;
  }

  /**
   * @param usage The operator's counting daily counts, sorted by day.
   * @param stated The operator's stated days. They are read if the term requires some.
   */
  write(
    usage: readonly DayUsage[],
    stated: StatedSpans | null,
    earlier: EarlierSheet | null,
  ): ProjectedOperator {
    const parts = partsOf(usage, this.#term.last);
    if (parts.all_time.length === 0) return NOTHING;
    const series = new Map<readonly DayUsage[], DaySeries>();
    const rows = new Map<readonly DayUsage[], number[]>();
    const tools = new Map<string | null, ToolRows>();
    const slices = usageBySlice(usage);
    const rowsOf = (tool: string | null, trust: 'all' | 'signed') => {
      const ofSlice = slices.get(sliceKey({ tool, trust }));
      if (!ofSlice) return NO_ROWS;
      const known = rows.get(ofSlice);
      if (known) return known;
      const ofDays = seriesOf(ofSlice);
      const before = earlier && new EarlierRows(earlier, this.#registry.tools, { tool, trust });
      const written = this.#writeWindows(ofDays, stated, before);
      series.set(ofSlice, ofDays);
      rows.set(ofSlice, written);
      return written;
    };
    // Sorted, because the order of a day's counts is different in each database.
    for (const tool of [null, ...[...new Set(usage.map(({ source }) => source.tool))].sort()]) {
      const number = tool === null ? 0 : this.#registry.toolNumber(tool);
      tools.set(tool, { tool: number, signed: rowsOf(tool, 'signed'), all: rowsOf(tool, 'all') });
    }
    const signed = (tool: string | null) => {
      const ofSlice = slices.get(sliceKey({ tool, trust: 'signed' }));
      return ofSlice && series.get(ofSlice);
    };
    const sheet = sheetNumbers({
      parts: this.#writeParts(parts),
      tools: [...tools.values()],
      challenges: this.#term.challenges.map((challenge) =>
        this.#writeChallenge(challenge, stated, signed(challenge.tool)),
      ),
    });
    const position = this.#heap.write(sheet, sheet.length);
    return {
      sheet: position,
      class_tier: this.#classOf(position),
      isSelfReported: trustOf(parts.all_time) !== 'signed',
    };
  }

  /** The class follows from the value that ranks where classes are assigned. */
  #classOf(sheet: number): ClassTier {
    const { blocks } = this.#heap;
    const place = boardPlace(this.#registry.tools, DEFAULT_SLICE, CLASS_WINDOW);
    const row = rowIn(blocks, sheet, place);
    if (row === 0) return classTierOf(null);
    const index = METRIC_NAMES.indexOf('yield');
    const { numbers, at } = placeAt(blocks, row);
    return classTierOf(orNull(valueAt(numbers, at, index)));
  }

  #writeWindows(
    series: DaySeries,
    stated: StatedSpans | null,
    earlier: EarlierRows | null,
  ): number[] {
    const { last, ruleset } = this.#term;
    const [first = last] = series.all.day;
    const ofAllDays = new Map<string, number>();
    const copies = new Map<number, number>();
    let whole: Standing | null = null;
    return WINDOWS.map((window, index) => {
      const begin = firstDayOf(window, last);
      const eligibility = eligibilityIn(ruleset, window);
      const share = shareFor(eligibility, stated, { first: begin, last });
      const same = earlier?.samePosition(series, index, this.#term) ?? 0;
      const row = same === 0 ? null : (earlier?.rowAt(same) ?? null);
      if (row && statedAt(row) === share) return once(copies, same, () => this.#copy(row));
      const write = (standing: Standing | null) =>
        this.#writeStanding(standing && { ...standing, stated_days: share }, eligibility);
      if (first < begin) return write(this.#standing(series, begin));
      // The window has all days. Windows share a row if their requirements and shares of stated days are equal.
      return once(ofAllDays, JSON.stringify([eligibility, share]), () => {
        whole ??= this.#standing(series, Number.NEGATIVE_INFINITY);
        return write(whole);
      });
    });
  }

  #standing(series: DaySeries, first: number): Standing | null {
    const { last, ruleset } = this.#term;
    return standingOf(series, first, last, ruleset);
  }

  #copy(row: RowPlace): number {
    return this.#heap.write(row.numbers.subarray(row.at), rowLength(row));
  }

  #writeStanding(standing: Standing | null, eligibility: Eligibility): number {
    if (!standing) return 0;
    const isRanked = (metric: MetricName) => rankingValue(standing, metric, eligibility) !== null;
    return this.#heap.write(this.#row, writeRow(this.#row, standing, isRanked));
  }

  #writeChallenge(
    challenge: RankedChallenge,
    stated: StatedSpans | null,
    series: DaySeries | undefined,
  ): number {
    if (!series) return 0;
    return this.#writeStanding(challengeStanding(series, stated, challenge), challenge.eligibility);
  }

  #writeParts(parts: Readonly<Record<string, SourceUsage[]>>): number[] {
    const known = new Map<SourceUsage[], number>();
    return WINDOWS.map((window) => {
      const ofWindow = parts[window] ?? [];
      if (ofWindow.length === 0) return 0;
      return once(known, ofWindow, () => {
        const numbers = partNumbers(ofWindow, (source) => this.#registry.sourceNumber(source));
        return this.#heap.write(numbers, numbers.length);
      });
    });
  }
}

const NO_ROWS = WINDOWS.map(() => 0);

function once<Key>(known: Map<Key, number>, key: Key, make: () => number): number {
  let position = known.get(key);
  if (position === undefined) known.set(key, (position = make()));
  return position;
}

/** The first and last day of a window, and the first one on which its row depends. */
type Days = Record<'concerned' | 'first' | 'last', number>;

/** The rows of one slice on an earlier day, from the same daily counts. */
class EarlierRows {
  readonly #earlier: EarlierSheet;
  readonly #positions: readonly number[];

  constructor(
    earlier: EarlierSheet,
    tools: readonly string[],
    slice: { tool: string | null; trust: 'all' | 'signed' },
  ) {
    this.#earlier = earlier;
    const { numbers, sheet } = earlier;
    this.#positions = WINDOWS.map((window) =>
      rowIn(numbers, sheet, boardPlace(tools, slice, window)),
    );
  }

  /** The position of a window's row, if no tokens concern only one of both days; else 0. */
  samePosition({ all }: DaySeries, index: number, { last, ruleset }: Term): number {
    const window = WINDOWS[index];
    if (!window) return 0;
    const method = methodNamed(ruleset.interval);
    const [before, after] = [this.#earlier.last, last]
      .sort((a, b) => a - b)
      .map((end) => {
        const first = firstDayOf(window, end);
        return { first, last: end, concerned: firstConcerned({ first, last: end }, method) };
      }) as [Days, Days];
    const isOnlyInOne = (day: number) =>
      (day > before.last && day <= after.last) ||
      (day >= before.first && day < after.first) ||
      (day >= before.concerned && day < after.concerned);
    return all.day.some(isOnlyInOne) ? 0 : (this.#positions[index] as number);
  }

  rowAt(position: number): RowPlace {
    return placeAt(this.#earlier.numbers, position);
  }
}

function challengeStanding(
  series: DaySeries,
  stated: StatedSpans | null,
  { first, last, eligibility, interval }: RankedChallenge,
): Standing | null {
  const { active_day_tokens } = eligibility;
  const standing = standingOf(series, first, last, { active_day_tokens, interval });
  return standing && { ...standing, stated_days: shareFor(eligibility, stated, { first, last }) };
}

/**
 * The row of a challenge; null without tokens.
 *
 * @param series The signed days of its tool.
 * @param stated The stated days of the account. They are read if the challenge requires some.
 */
export function challengeRow(
  series: DaySeries,
  stated: StatedSpans | null,
  challenge: RankedChallenge,
): RowPlace | null {
  const standing = challengeStanding(series, stated, challenge);
  if (!standing) return null;
  const { eligibility } = challenge;
  const numbers = new Float64Array(MAX_ROW_NUMBERS);
  writeRow(numbers, standing, (metric) => rankingValue(standing, metric, eligibility) !== null);
  return { numbers, at: 0 };
}

/** Each metric's highest possible value in earlier windows that may set a record. */
export function reachOf(usage: readonly DayUsage[], { last, ruleset }: Term) {
  const signed = usage.filter(({ source }) => source.trust === 'signed');
  return recordReach(seriesOf(signed), last, eligibilityIn(ruleset, '30d'));
}
