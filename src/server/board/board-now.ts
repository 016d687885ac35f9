import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import type { AppContext } from '../context.ts';
import { currentPublication } from '../publication/read/current-publication.ts';

/** What llms.txt tells of the board that is public now. */
interface BoardNow {
  day: string;
  /** How many operators the board of all tools ranks. */
  ranked: number;
  /** The tools that have boards of their own, most operators first. */
  tools: readonly string[];
}

/** @throws {DomainError} `service_unavailable` before the first publication. */
export function readBoardNow(ctx: AppContext): BoardNow {
  const { as_of, tools, window } = currentPublication(ctx);
  const { window: days, metric } = DEFAULT_VIEW;
  return { day: as_of, ranked: window(days).total(metric), tools };
}
