/** What board answers have in common: which board it is, and whether there is such a board. */
import type { BoardSlice } from '#core/domain/board/board.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { TrustFilter, WindowName } from '#core/schema/board.ts';
import type { AppContext } from '../context.ts';
import { type DailyBoard, readDailyBoard } from '../publication/read/daily-board.ts';
import type { Publication } from '../publication/read/publication.ts';

/** The parameters that choose a board, before it is known whether there is one. */
interface BoardChoice {
  window: WindowName;
  tool?: string | null | undefined;
  trust: TrustFilter;
}

/** The head and filters of the current board. */
export function headOf(publication: Publication, { window, tool = null, trust }: BoardChoice) {
  const { ruleset, as_of, log_index, generated_at, next_refresh_at, tools } = publication;
  return {
    ruleset,
    window,
    as_of,
    log_index,
    generated_at,
    next_refresh_at,
    tool,
    trust,
    tools: [...tools],
  };
}

/** The head and filters of an earlier board. */
export function earlierHeadOf(
  { publication }: DailyBoard,
  { next_refresh_at }: Publication,
  { window, tool = null, trust }: BoardChoice,
) {
  const { ruleset, day, log_index, generated_at, tools } = publication;
  return {
    ruleset,
    window,
    as_of: day,
    log_index,
    generated_at,
    next_refresh_at,
    tool,
    trust,
    tools,
  };
}

/**
 * The slice that is asked for.
 *
 * @throws {DomainError} `query_invalid` if its tool has no boards.
 */
export function sliceOf({ tool = null, trust }: BoardChoice, tools: readonly string[]): BoardSlice {
  if (tool === null || tools.includes(tool)) return { tool, trust };
  const allowed =
    tools.length > 0 ? `must be one of: ${tools.join(', ')}` : 'no tool has a board yet';
  throw new DomainError('query_invalid', `tool: ${allowed}`, [
    { pointer: '#/tool', code: 'tool_unknown', detail: allowed },
  ]);
}

/**
 * The boards of a day that is over.
 *
 * @throws {DomainError} `as_of_unavailable` if the day was not kept, `query_invalid` as {@linkcode sliceOf}.
 */
export function earlierBoard(
  ctx: AppContext,
  current: Publication,
  as_of: string,
  choice: BoardChoice,
): DailyBoard {
  const publication = ctx.store.dailyStandings.publication(as_of);
  if (!publication) {
    throw new DomainError('as_of_unavailable', `No board of ${as_of} was kept`);
  }
  const slice = sliceOf(choice, publication.tools);
  return readDailyBoard(ctx.store, current, publication, slice);
}
