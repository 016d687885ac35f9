import type { WindowName } from '#core/schema/board.ts';
import type { BoardSlice } from '#core/domain/board.ts';
import { type PublicationData, type PublicationHead, boardKey, storedSlice } from './columns.ts';
import { PublishedBoard } from './published-board.ts';
import { PublishedOperators } from './published-operators.ts';

/** The slice of the default board. */
const DEFAULT_SLICE: BoardSlice = { tool: null, trust: 'signed' };

/** A published board of all windows, slices and metrics: immutable, and the same for page, API and agents. */
export interface Publication extends PublicationHead {
  next_refresh_at: string;
  /** The tools that have boards of their own, most operators first. */
  tools: readonly string[];
  operators: PublishedOperators;
  /** The boards of a window; the slice's tool must be one of `tools`. */
  window(name: WindowName, slice?: BoardSlice): PublishedBoard;
}

export function publicationOf(
  { head, shared, boards }: PublicationData,
  refreshMs: number,
): Publication {
  const operators = new PublishedOperators(shared.operators);
  const published = new Map(
    boards.map((columns) => [boardKey(columns), new PublishedBoard(operators, shared, columns)]),
  );
  const nextMs = Date.parse(head.generated_at) + refreshMs;
  return {
    ...head,
    next_refresh_at: new Date(nextMs).toISOString(),
    tools: shared.tools,
    operators,
    window(window, slice = DEFAULT_SLICE) {
      const stored = storedSlice(slice, shared);
      const board = published.get(boardKey({ window, slice: stored }));
      if (!board) throw new Error(`There is no board of ${JSON.stringify(slice)}`);
      return board;
    },
  };
}
