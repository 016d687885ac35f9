/**
 * A publication in columns, which the projecting thread transfers without copying and the store keeps. Operators are
 * identified by their position in the order of names, and a board's rows follow that order.
 */
import type { Movement, WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { BoardSlice } from '#core/domain/board/board.ts';
import type { SourceUsage } from '#core/domain/board/breakdown.ts';
import type { Eligibility, Ruleset } from '#core/domain/board/ruleset.ts';
import type { BucketSource } from '#core/domain/metrics/day-series.ts';
import type { Interval } from '#core/domain/metrics/interval.ts';
import { sliceKey } from '#core/domain/board/slices.ts';
import { orNull } from './standing-numbers.ts';

/** All operators on the board who have tokens, signed or not, on any day. */
export interface OperatorColumns {
  ids: Uint32Array<ArrayBuffer>;
  /** How many active devices each has. */
  devices: Uint32Array<ArrayBuffer>;
  /** The public name of each, one a line, sorted. */
  codenames: string;
  /** The display name of each, one a line in the same order; empty if it is not shown. */
  display_names: string;
  /** The cohort of each, one a line; empty if it is not shown. */
  cohorts: string;
  /** The class of each, as its index in `ClassTier`. */
  classes: Uint8Array<ArrayBuffer>;
  /** 1 for each operator who is counted in medians and other aggregates. */
  in_figures: Uint8Array<ArrayBuffer>;
}

/** The sources of a window's tokens. The parts of operator `i` are `offsets[i]` to `offsets[i + 1]`. */
export interface PartColumns {
  window: WindowName;
  offsets: Uint32Array<ArrayBuffer>;
  /** The source of each part. */
  sources: Uint32Array<ArrayBuffer>;
  /** The four token types of each part; NaN stands for null. */
  pillars: Float64Array<ArrayBuffer>;
}

/** Rows of a board in the order of one metric. */
export interface RankingColumns {
  /** Best first, and for each the rank, and the best and worst rank that the intervals allow. */
  ranked: Uint32Array<ArrayBuffer>;
  ranks: Uint32Array<ArrayBuffer>;
  best: Uint32Array<ArrayBuffer>;
  worst: Uint32Array<ArrayBuffer>;
  unranked: Uint32Array<ArrayBuffer>;
  /** The rank of each of `ranked` on an earlier board, 0 if unranked; null if none is stored. */
  earlier: Record<keyof Movement, Uint32Array<ArrayBuffer> | null>;
}

/** How many submissions the admin's decisions and the checks exclude. */
export interface ModerationCounts {
  held_submissions: number;
  hidden_operators: number;
}

/** A record on the Records page. */
export interface SignalRecordData {
  metric: MetricName;
  /** The position of its holder. */
  operator: number;
  interval: Interval;
  first_day: string;
  last_day: string;
  achieved_at: string;
  /** The last submission on which it is based. */
  submission: string | null;
}

/** The standings of a challenge that is not over yet. */
export interface ChallengeColumns {
  /** Its number in the store. */
  seq: number;
  metric: MetricName;
  eligibility: Eligibility;
  /** The operator of each row, by name, and its standing as `standing-numbers.ts` writes it. */
  operators: Uint32Array<ArrayBuffer>;
  standings: Float64Array<ArrayBuffer>;
  /** The ranked rows, best first, and for each the rank, and the best and worst rank that the intervals allow. */
  ranked: Uint32Array<ArrayBuffer>;
  ranks: Uint32Array<ArrayBuffer>;
  best: Uint32Array<ArrayBuffer>;
  worst: Uint32Array<ArrayBuffer>;
  /** The unranked rows, the highest conservative value first. */
  unranked: Uint32Array<ArrayBuffer>;
}

/** The boards of one window and slice, by all metrics. */
export interface BoardColumns {
  window: WindowName;
  slice: BoardSlice;
  /** The operator of each row. */
  operators: Uint32Array<ArrayBuffer>;
  /** The standing of each row, as `standing-numbers.ts` writes it. */
  standings: Float64Array<ArrayBuffer>;
  rankings: Record<MetricName, RankingColumns>;
}

/** What a publication was computed from. */
export interface PublicationHead {
  id: number;
  log_index: number;
  as_of: string;
  ruleset: string;
  generated_at: string;
}

/** What all boards of a publication share. */
export interface SharedColumns {
  rules: Ruleset;
  /** The tools that have their own boards. */
  tools: string[];
  /** Whether any self-reported daily count counts. If not, there are no slices of all. */
  self_reported: boolean;
  moderation: ModerationCounts;
  operators: OperatorColumns;
  sources: BucketSource[];
  /** One for each window. */
  parts: PartColumns[];
  /** By metric, each metric's current record first. */
  records: SignalRecordData[];
  challenges: ChallengeColumns[];
}

export interface PublicationData {
  head: PublicationHead;
  shared: SharedColumns;
  boards: BoardColumns[];
  /** A number derived from the content of each section, by its name; absent if nothing was stored. */
  versions?: ReadonlyMap<string, number>;
}

/** The section that all boards share. */
export const SHARED_SECTION = 'shared';

/** The key by which a board is stored and found. */
export function boardKey({ window, slice }: Pick<BoardColumns, 'slice' | 'window'>): string {
  return `${window} ${sliceKey(slice)}`;
}

/** The slice that contains the requested data. If nothing self-reported counts, the slice of all is the signed one. */
export function storedSlice(
  { tool, trust }: BoardSlice,
  { self_reported }: Pick<SharedColumns, 'self_reported'>,
): BoardSlice {
  return { tool, trust: self_reported ? trust : 'signed' };
}

/** The numbers of a part: input, output, cache_write, cache_read. */
export const PILLARS = 4;

/** The columns of each operator's parts. `indexOf` returns the index of a source in the list of all. */
export function partColumns(
  window: WindowName,
  partsOfAll: readonly (readonly SourceUsage[])[],
  indexOf: (source: BucketSource) => number,
): PartColumns {
  const parts = partsOfAll.flat();
  const offsets = new Uint32Array(partsOfAll.length + 1);
  partsOfAll.forEach(({ length }, index) => {
    offsets[index + 1] = (offsets[index] as number) + length;
  });
  const pillars = new Float64Array(parts.length * PILLARS);
  parts.forEach(({ input, output, cache_write, cache_read }, index) => {
    pillars[index * PILLARS] = input;
    pillars[index * PILLARS + 1] = output;
    pillars[index * PILLARS + 2] = cache_write ?? Number.NaN;
    pillars[index * PILLARS + 3] = cache_read ?? Number.NaN;
  });
  return {
    window,
    offsets,
    sources: Uint32Array.from(parts, ({ source }) => indexOf(source)),
    pillars,
  };
}

/** One operator's parts in a window. */
export function partsAt(
  { offsets, sources, pillars }: PartColumns,
  all: readonly BucketSource[],
  operator: number,
): SourceUsage[] {
  const parts: SourceUsage[] = [];
  for (let at = offsets[operator] as number; at < (offsets[operator + 1] as number); at += 1) {
    const pillar = (offset: number) => pillars[at * PILLARS + offset] as number;
    parts.push({
      source: all[sources[at] as number] as BucketSource,
      input: pillar(0),
      output: pillar(1),
      cache_write: orNull(pillar(2)),
      cache_read: orNull(pillar(3)),
    });
  }
  return parts;
}

/** The buffers of all columns in a value, to be transferred. */
export function buffersOf(value: unknown): ArrayBuffer[] {
  if (ArrayBuffer.isView(value)) return [value.buffer as ArrayBuffer];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(buffersOf) : [];
}
