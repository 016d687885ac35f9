import { type OperatorDetail, OperatorQuery } from '#core/contract/operators.ts';
import { usageByModel, usageByTool, trustOf } from '#core/domain/board/breakdown.ts';
import { cascadeOf, shapeOf } from '#core/domain/metrics/compute-metrics.ts';
import { dayName } from '#core/domain/counting/day.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { forEachMetric } from '#core/domain/metrics/metrics.ts';
import type { OperatorView } from '#core/domain/board/operator-view.ts';
import { totalsOf } from '#core/domain/metrics/standing.ts';
import type { AppContext } from '../context.ts';
import type { DailyBoard } from '../publication/read/daily-board.ts';
import { shownProfile } from '../operator/profile.ts';
import type { Publication } from '../publication/read/publication.ts';
import { earlierBoard, earlierHeadOf, headOf, keptValues, sliceOf } from './board-head.ts';
import { readySignedDays } from './operator-calendar.ts';
import { readStatedDays } from './operator-stated-days.ts';
import { classByTool } from './your-standing.ts';
import {
  currentPublication,
  type PublicOperator,
  publicOperator,
} from '../publication/read/current-publication.ts';

/** Prepares the data for {@linkcode readOperator}. Yields to the event loop. */
export const readyOperator = readySignedDays;

/**
 * One operator on the current board or on that of an earlier day.
 *
 * @throws {DomainError} `not_found` for an operator who is not on that board or has no page, `as_of_unavailable` for a
 * day without a board, `query_invalid` for an unknown tool.
 */
export function readOperator(
  ctx: AppContext,
  codename: string,
  query: OperatorQuery,
): OperatorDetail {
  const publication = currentPublication(ctx);
  const operator = publicOperator(ctx, codename);
  const { as_of } = query;
  return as_of === undefined || as_of === publication.as_of
    ? {
        ...currentOperator(ctx, operator, query),
        stated_days: readStatedDays(ctx, codename, query.window),
      }
    : // Values may be deleted meanwhile.
      ctx.store.snapshot(() => earlierOperator(ctx, operator, { ...query, as_of }));
}

/**
 * One operator on the current board with the filters of a view, without stated days.
 *
 * @throws {DomainError} as {@linkcode readOperator}.
 */
export function readOperatorIn(
  ctx: AppContext,
  codename: string,
  { window, trust, tool }: Pick<OperatorView, 'tool' | 'trust' | 'window'>,
): Omit<OperatorDetail, 'stated_days'> {
  const query = OperatorQuery.parse({ window, trust, tool: tool ?? undefined });
  return currentOperator(ctx, publicOperator(ctx, codename), query);
}

function currentOperator(ctx: AppContext, operator: PublicOperator, query: OperatorQuery) {
  const publication = currentPublication(ctx);
  const { codename } = operator;
  const slice = sliceOf(query, publication.tools);
  const position = publication.operators.positionOf(codename);
  if (position === null) throw notFound(codename);
  return {
    ...headOf(publication, query),
    codename,
    ...shownProfile(ctx, operator),
    class_tier: publication.operators.at(position).class_tier,
    class_by_tool: classByTool(publication, codename),
    values: 'kept' as const,
    records_held: publication.records.heldBy(codename),
    devices: publication.operators.devicesAt(position),
    standing: currentStanding(publication.window(query.window, slice), codename),
  };
}

function currentStanding(board: ReturnType<Publication['window']>, codename: string) {
  const detail = board.detail(codename);
  if (!detail) return null;
  const { standing, places, parts } = detail;
  const { all, read_write } = standing.bases;
  return {
    trust: trustOf(parts),
    metrics: places,
    totals: totalsOf(all),
    cascade: cascadeOf(read_write),
    shape: shapeOf(all),
    tools: usageByTool(parts),
    ...usageByModel(parts),
    last_active: dayName(standing.last_active),
  };
}

function earlierOperator(
  ctx: AppContext,
  operator: PublicOperator,
  query: OperatorQuery & { as_of: string },
): OperatorDetail {
  const current = currentPublication(ctx);
  const board = earlierBoard(ctx, current, query.as_of, query);
  const { id, codename } = operator;
  if (!ctx.store.keptDays.stood(query.as_of, id)) throw notFound(codename);
  return {
    ...earlierHeadOf(board, current, query),
    codename,
    ...shownProfile(ctx, operator),
    class_tier: null,
    class_by_tool: null,
    values: keptValues(board.publication),
    records_held: null,
    devices: null,
    standing: earlierStanding(board, query.window, codename),
    stated_days: null,
  };
}

function earlierStanding(board: DailyBoard, window: OperatorQuery['window'], codename: string) {
  if (!board.hasTokens(window, codename)) return null;
  return {
    trust: null,
    metrics: forEachMetric((metric) => board.standingBy(window, metric, codename)),
    totals: null,
    cascade: null,
    shape: null,
    tools: null,
    models: null,
    other_models: null,
    last_active: null,
  };
}

function notFound(codename: string): DomainError {
  return new DomainError('not_found', `${codename} is not on that board`);
}
