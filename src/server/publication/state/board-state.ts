/**
 * All boards at one moment, in memory that threads share. Operators are identified by their slots, which stay the same
 * until the next day. Columns and orders never change; a later state has new ones, and shares those that are equal.
 */
import type { BoardSlice } from '#core/domain/board/board.ts';
import type { Eligibility, Ruleset } from '#core/domain/board/ruleset.ts';
import type { BucketSource } from '#core/domain/metrics/day-series.ts';
import type { Interval } from '#core/domain/metrics/interval.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { NumberBlocks, SlotColumn, TextBlocks } from './blocks.ts';

/** The order of a board by one metric. */
export interface MetricOrder {
  /** Ranked operators, best first. */
  ranked: SlotColumn;
  /** The same operators by the lower and by the upper bounds that rank ranges compare, lowest first. */
  byLowest: SlotColumn;
  byHighest: SlotColumn;
  /** The same operators by their values, lowest first, from which medians are read. */
  byValue: SlotColumn;
  /** Operators without a rank, by name. */
  unranked: SlotColumn;
}

/** The boards of one window and slice, by all metrics. */
export interface BoardOrders {
  window: WindowName;
  slice: BoardSlice;
  orders: Record<MetricName, MetricOrder>;
  /** The sum of the rows' terms. */
  rowsSum: number;
  /** Derived from the rows and operators of the board. Equal boards have equal numbers, also in another process. */
  version: number;
}

/** How many submissions the admin's decisions and the checks exclude. */
export interface ModerationCounts {
  held_submissions: number;
  hidden_operators: number;
}

/** A record on the Records page. */
export interface SignalRecordData {
  metric: MetricName;
  /** The slot of its holder. */
  operator: number;
  /** The version of the ranking rules. */
  rules: number;
  /** The conservative value. */
  value: number;
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
  /** The index of its rows in the operators' sheets. */
  index: number;
  /** The ranked operators, best first, and for each the rank, and the best and worst rank that the intervals allow. */
  ranked: Uint32Array;
  ranks: Uint32Array;
  best: Uint32Array;
  worst: Uint32Array;
  /** The unranked operators, the highest conservative value first. */
  unranked: Uint32Array;
  /** The sum of the rows' terms. */
  rowsSum: number;
}

/** By slot, what is known of each operator. */
export interface OperatorSlots {
  ids: SlotColumn;
  /** The position of each one's names; 0 for operators who are not on the board. */
  names: SlotColumn;
  /** The position of each one's sheet; 0 for none. */
  sheets: SlotColumn;
  /** See `operator-facts.ts`. */
  facts: SlotColumn;
  /** The operators on the board, sorted by name. */
  byName: SlotColumn;
}

export interface BoardState {
  rules: Ruleset;
  /** The tools that have their own boards, most operators first. */
  tools: string[];
  /** Whether any self-reported daily count counts. If not, there are no slices of all. */
  self_reported: boolean;
  moderation: ModerationCounts;
  numbers: NumberBlocks;
  texts: TextBlocks;
  /** The tools by their number minus one, and the sources by theirs. */
  toolNames: string[];
  sources: BucketSource[];
  /** How many operators on the board used each tool, by the tool's index. */
  toolCounts: number[];
  operators: OperatorSlots;
  /** The sum of the operators' terms. */
  operatorsSum: number;
  boards: BoardOrders[];
  /** By metric, each metric's current record first. */
  records: SignalRecordData[];
  challenges: ChallengeColumns[];
  /** Derived from everything but the boards. */
  version: number;
}

/** What a publication was computed from. */
export interface PublicationHead {
  id: number;
  log_index: number;
  as_of: string;
  ruleset: string;
  generated_at: string;
}

export interface PublicationData {
  head: PublicationHead;
  state: BoardState;
}

/** Finds the board of a slice and a window; undefined if there is none. */
export function findBoard(
  boards: readonly BoardOrders[],
  { tool, trust }: BoardSlice,
  window: WindowName,
): BoardOrders | undefined {
  return boards.find(
    (board) => board.window === window && board.slice.tool === tool && board.slice.trust === trust,
  );
}

/** The slice that contains the requested data. If nothing self-reported counts, the slice of all is the signed one. */
export function storedSlice(
  { tool, trust }: BoardSlice,
  { self_reported }: Pick<BoardState, 'self_reported'>,
): BoardSlice {
  return { tool, trust: self_reported ? trust : 'signed' };
}
