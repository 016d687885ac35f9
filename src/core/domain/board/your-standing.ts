import type { BoardEntry, UnrankedEntry } from '#core/schema/board.ts';

/** The reader's own result on a board, ranked or not. */
export interface YourStanding extends Pick<
  UnrankedEntry,
  'active_days' | 'conservative' | 'interval' | 'reasons'
> {
  value: number | null;
  ranked: Pick<BoardEntry, 'movement' | 'rank' | 'rank_range'> | null;
}
