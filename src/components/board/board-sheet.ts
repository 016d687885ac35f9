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
  /** Filters: the tools that have boards, and the admin's cohorts. */
  tools: string[];
  cohorts: Cohort[];
  /** What is left out at the moment. */
  moderation: { held_submissions: number; hidden_operators: number };
  total: number;
  entries: BoardEntry[];
  next_cursor: string | null;
  unranked_total?: number | undefined;
  unranked?: UnrankedEntry[] | undefined;
}

/** The position of a sheet within its board, and related data. */
export interface SheetPlace {
  /** The operator's command that the board serves. */
  release: Release;
  first: boolean;
  /** The number of ranked rows before it. */
  from: number;
  /** The cursors of the previous page and of this one; null for the first page. */
  previous: string | null;
  cursor: string | null;
  /** If the window is empty, the widest one with tokens. */
  elsewhere: WindowName | null;
  /** By codename. */
  details: () => Promise<ReadonlyMap<string, RowDetails>>;
  distribution: Distribution | null;
}
