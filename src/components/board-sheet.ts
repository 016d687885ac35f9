import type { BoardEntry, BoardHead, UnrankedEntry, WindowName } from '#core/schema/board.ts';

/** What a board's page shows: one page of the ranked list, and who is not ranked yet. */
export interface BoardSheet extends BoardHead {
  /** How much does not count for now. */
  moderation: { held_submissions: number; hidden_operators: number };
  total: number;
  entries: BoardEntry[];
  next_cursor: string | null;
  unranked_total?: number | undefined;
  unranked?: UnrankedEntry[] | undefined;
}

/** Where the sheet lies. */
export interface SheetPlace {
  baseUrl: string;
  /** Whether it is the first page of the list. */
  first: boolean;
  /** Where the window is empty: the widest one in which anybody has tokens. */
  elsewhere: WindowName | null;
}
