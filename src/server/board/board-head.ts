/** The parts that all board responses share, and the checks that a board exists. */
import { LeaderboardQuery } from '#core/contract/leaderboard.ts';
import { BOARD_PARAMETERS } from '#core/domain/board/board-path.ts';
import type { BoardSlice } from '#core/domain/board/board.ts';
import { DomainError, nullIfRefused } from '#core/domain/text/errors.ts';
import {
  type BoardHead,
  type ClassTier,
  type KeptValues,
  type TrustFilter,
  WindowName,
} from '#core/schema/board.ts';
import { MetricName } from '#core/schema/record.ts';
import type { AppContext } from '../context.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { type DailyBoard, readDailyBoard } from '../publication/read/daily-board.ts';
import type { Publication } from '../publication/read/publication.ts';
import type { Choice } from '../publication/read/published-operators.ts';

/** The parameters that select a board, before validation. */
interface BoardChoice {
  window: WindowName;
  tool?: string | null | undefined;
  trust: TrustFilter;
}

/** The part of a publication that describes its boards. */
type Head = Pick<
  Publication,
  'as_of' | 'generated_at' | 'log_index' | 'next_refresh_at' | 'ruleset' | 'tools'
>;

export function headOf(publication: Head, { window, tool = null, trust }: BoardChoice) {
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

export function earlierHeadOf(
  { publication }: DailyBoard,
  { next_refresh_at }: Publication,
  choice: BoardChoice,
) {
  return headOf({ ...publication, as_of: publication.day, next_refresh_at }, choice);
}

export function keptValues({ thinned }: Pick<DailyBoard['publication'], 'thinned'>): KeptValues {
  return thinned ? 'thinned' : 'kept';
}

/**
 * The requested slice.
 *
 * @throws {DomainError} `query_invalid` if the tool has no boards.
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
 * The boards of a past day.
 *
 * @throws {DomainError} `as_of_unavailable` if the day is not stored, `query_invalid` as {@linkcode sliceOf}.
 */
export function earlierBoard(
  ctx: AppContext,
  current: Publication,
  as_of: string,
  choice: BoardChoice,
): DailyBoard {
  const publication = ctx.store.keptDays.publication(as_of);
  if (!publication) {
    throw new DomainError('as_of_unavailable', `No board is stored for ${as_of}`);
  }
  const slice = sliceOf(choice, publication.tools);
  return readDailyBoard(ctx.store, current, publication, slice);
}

/** The parameters that filter operators, before validation. */
interface ChoiceQuery {
  class?: ClassTier | null | undefined;
  cohort?: string | null | undefined;
}

/**
 * The requested operators.
 *
 * @throws {DomainError} `query_invalid` for a cohort that the admin did not define.
 */
export function choiceOf(
  { config }: AppContext,
  { class: class_tier = null, cohort = null }: ChoiceQuery,
): Choice {
  const ids = config.signIn.cohorts.map(({ id }) => id);
  if (cohort === null || ids.includes(cohort)) return { class_tier, cohort };
  const allowed =
    ids.length > 0 ? `must be one of: ${ids.join(', ')}` : 'this board has no cohorts';
  throw refused('cohort', 'cohort_unknown', allowed);
}

export function choiceFilters({ config }: AppContext, { class_tier, cohort }: Choice) {
  return { class: class_tier, cohort, cohorts: [...config.signIn.cohorts] };
}

/**
 * Rejects class and cohort filters for earlier boards, which are stored without them.
 *
 * @throws {DomainError} `query_invalid`
 */
export function refuseChoice(query: ChoiceQuery): void {
  const name = query.class == null ? 'cohort' : 'class';
  if (query[name] == null) return;
  const detail = 'must be omitted for earlier days: their boards are stored without it';
  throw refused(name, 'not_kept', detail);
}

function refused(name: keyof ChoiceQuery, code: string, detail: string): DomainError {
  const fault = { pointer: `#/${name}`, code, detail };
  return new DomainError('query_invalid', `${name}: ${detail}`, [fault]);
}

export type BoardName = Pick<BoardHead, 'metric' | 'window'>;

/** The board in a path; null if there is none. */
export function boardNamed(path: Record<string, string | undefined>): BoardName | null {
  const window = WindowName.safeParse(path['window']);
  const metric = MetricName.safeParse(path['metric']);
  return window.success && metric.success ? { window: window.data, metric: metric.data } : null;
}

/**
 * The filters in a board's URL. Empty and unknown parameters are ignored. Null if there is no such board.
 */
export function boardAsked(ctx: AppContext, board: BoardName, parameters: URLSearchParams) {
  const given = BOARD_PARAMETERS.flatMap((name) => {
    const text = parameters.get(name) ?? '';
    // Tool and cohort names may begin or end with spaces; search terms are trimmed.
    const value = name === 'q' ? text.trim() : text;
    return value === '' ? [] : [[name === 'after' ? 'cursor' : name, value]];
  });
  const query = LeaderboardQuery.safeParse({ ...Object.fromEntries(given), ...board });
  return query.success && isKnown(ctx, query.data) ? query.data : null;
}

/** @throws {DomainError} `query_invalid` if the tool or cohort has no board. */
export function boardOf(ctx: AppContext, publication: Publication, query: LeaderboardQuery) {
  return publication.window(query.window, sliceOf(query, publication.tools), choiceOf(ctx, query));
}

function isKnown(ctx: AppContext, query: LeaderboardQuery): boolean {
  const board = nullIfRefused(() => boardOf(ctx, currentPublication(ctx), query), 'query_invalid');
  return board !== null;
}
