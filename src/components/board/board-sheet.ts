import type { Distribution } from '#core/domain/metrics/distribution.ts';
import type { RowDetails } from '#core/domain/metrics/trend.ts';
import type {
  BoardEntry,
  BoardHead,
  ClassTier,
  TrustFilter,
  UnrankedEntry,
  WindowName,
} from '#core/schema/board.ts';
import type { Cohort } from '#core/schema/profile.ts';
import type { Release } from '#core/schema/release.ts';

export interface BoardSheet extends BoardHead {
  tool: string | null;
  trust: TrustFilter;
  class: ClassTier | null;
  cohort: string | null;
  q: string | null;
  /** What can be chosen instead: the tools that have boards, and the admin's cohorts. */
  tools: string[];
  cohorts: Cohort[];
  /** How much does not count for now. */
  moderation: { held_submissions: number; hidden_operators: number };
  total: number;
  entries: BoardEntry[];
  next_cursor: string | null;
  unranked_total?: number | undefined;
  unranked?: UnrankedEntry[] | undefined;
}

/** Where the sheet lies, and what stands beside it. */
export interface SheetPlace {
  /** The operator's command that the board serves. */
  release: Release;
  first: boolean;
  /** How many ranked rows come before it. */
  from: number;
  /** The cursors of the page before and of this one; null where that is the first. */
  previous: string | null;
  cursor: string | null;
  /** Where the window is empty: the widest one in which anybody has tokens. */
  elsewhere: WindowName | null;
  /** By codename. */
  details: () => Promise<ReadonlyMap<string, RowDetails>>;
  distribution: Distribution | null;
}
