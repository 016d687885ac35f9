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
  /** The available filters: tools with boards, and the admin's cohorts. */
  tools: string[];
  cohorts: Cohort[];
  /** Submissions and operators that currently do not count. */
  moderation: { held_submissions: number; hidden_operators: number };
  total: number;
  entries: BoardEntry[];
  next_cursor: string | null;
  unranked_total?: number | undefined;
  unranked?: UnrankedEntry[] | undefined;
}

/** The position of a page in the board, and the data next to its rows. */
export interface SheetPlace {
  /** The `opbench` release that the board serves. */
  release: Release;
  first: boolean;
  /** The number of ranked rows before this page. */
  from: number;
  /** The cursors of the previous page and of this one; null for the first page. */
  previous: string | null;
  cursor: string | null;
  /** If the window is empty: the longest one with tokens. */
  elsewhere: WindowName | null;
  /** By codename. */
  details: () => Promise<ReadonlyMap<string, RowDetails>>;
  distribution: Distribution | null;
}
