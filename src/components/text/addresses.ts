/** The addresses of the site's pages. */
import { DEFAULT_VIEW, boardPath, boardQuery } from '#core/domain/board/board-path.ts';
import {
  DEFAULT_MEASURE,
  type OperatorView,
  drawnIntervals,
  operatorQuery,
} from '#core/domain/board/operator-view.ts';
import { type ComparisonView, comparisonQuery } from '#core/domain/board/comparison.ts';
import type { BoardHead, ClassTier, TrustFilter } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';

/** A board and its filters; a filter that is left out is not set. */
export interface BoardView extends Pick<BoardHead, 'window' | 'metric'> {
  tool?: string | null | undefined;
  trust?: TrustFilter | undefined;
  class?: ClassTier | null | undefined;
  cohort?: string | null | undefined;
  q?: string | null | undefined;
}

export function boardHref(view: BoardView, after?: string): string {
  return boardPath(view) + boardQuery({ ...view, after });
}

export function boardDataHref(view: BoardView, format?: 'csv', cursor?: string | null): string {
  const { window, metric } = view;
  return withQuery('/api/v1/leaderboard', { window, metric, ...choiceOf(view), cursor, format });
}

/** The page that shows the reader's own rank; `row` is the part that the board's page embeds. */
export function yourRankHref(view: BoardView, part?: 'row'): string {
  const { window, metric } = view;
  const path = part === undefined ? '/where-am-i' : `/where-am-i/${part}`;
  return withQuery(path, { window, metric, ...choiceOf({ ...view, q: null }) });
}

export function operatorHref(codename: string, query: Query = {}): string {
  return withQuery(`/operators/${codename}`, query);
}

export function operatorViewHref(codename: string, view: OperatorView): string {
  return operatorHref(codename) + operatorQuery(view);
}

/** An operator's page with the same window, tool and counts as a board. */
export function operatorOnBoardHref(codename: string, board: BoardView): string {
  const { window, tool = DEFAULT_VIEW.tool, trust = DEFAULT_VIEW.trust } = board;
  const { metric } = DEFAULT_VIEW;
  const interval = drawnIntervals(window)[0];
  const usual = { metric, interval, calendar: DEFAULT_MEASURE, beside: null };
  return operatorViewHref(codename, { window, tool, trust, ...usual });
}

export function comparisonHref(view: ComparisonView): string {
  return `/compare${comparisonQuery(view)}`;
}

export function metricHref(metric: MetricName): string {
  return `/metrics/${metric}`;
}

export function challengeHref(id: string, query: Query = {}): string {
  return withQuery(`/challenges/${id}`, query);
}

export function challengeFeedHref(id: string): string {
  return `/challenges/${id}.atom`;
}

/** A challenge's preview picture. */
export function challengeCardPath(id: string): string {
  return `/cards/challenges/${id}.png`;
}

/** The page of a metric's record. */
export function recordHref(metric: MetricName): string {
  return `/hall-of-signal/${metric}`;
}

/** The preview picture of a metric's record. */
export function recordCardPath(metric: MetricName): string {
  return `/cards/records/${metric}.png`;
}

/** The page on which the owner withdraws or restores a submission. */
export function ownSubmissionHref(id: string): string {
  return `${withQuery('/settings/submissions', { change: id })}#change`;
}

export function submissionHref(id: string): string {
  return `/submissions/${id}`;
}

type Query = Readonly<Record<string, string | null | undefined>>;

/** Leaves out `trust` if it is the default. */
function choiceOf({ tool, trust, class: class_tier, cohort, q }: BoardView): Query {
  return { tool, trust: trust === DEFAULT_VIEW.trust ? null : trust, class: class_tier, cohort, q };
}

/** Adds the parameters that have a value. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
