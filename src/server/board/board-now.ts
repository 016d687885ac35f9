import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import type { AppContext } from '../context.ts';
import { currentPublication } from '../publication/read/current-publication.ts';

/** The facts about the current board in llms.txt. */
interface BoardNow {
  day: string;
  /** The number of ranked operators on the board of all tools. */
  ranked: number;
  /** The tools with boards, those with the most operators first. */
  tools: readonly string[];
}

/** @throws {DomainError} `service_unavailable` before the first publication. */
export function readBoardNow(ctx: AppContext): BoardNow {
  const { as_of, tools, window } = currentPublication(ctx);
  const { window: days, metric } = DEFAULT_VIEW;
  return { day: as_of, ranked: window(days).total(metric), tools };
}
