/** Where the site's pages are. */
import { boardPath } from '#core/domain/board-path.ts';
import type { BoardHead, ClassTier, TrustFilter } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';

/** A board, and what is chosen of it; what is left out is not chosen. */
export interface BoardView extends Pick<BoardHead, 'window' | 'metric'> {
  tool?: string | null | undefined;
  trust?: TrustFilter | undefined;
  class?: ClassTier | null | undefined;
  cohort?: string | null | undefined;
  q?: string | null | undefined;
}

/** The page of a board, or one of its further pages. */
export function boardHref(view: BoardView, after?: string): string {
  return withQuery(boardPath(view), { ...choiceOf(view), after });
}

/** The same board from the API. */
export function boardDataHref(view: BoardView, format?: 'csv'): string {
  const { window, metric } = view;
  return withQuery('/api/v1/leaderboard', { window, metric, ...choiceOf(view), format });
}

/** The page of an operator who has one. */
export function operatorHref(codename: string, query: Query = {}): string {
  return withQuery(`/operators/${codename}`, query);
}

export function metricHref(metric: MetricName): string {
  return `/metrics/${metric}`;
}

export function challengeHref(id: string, query: Query = {}): string {
  return withQuery(`/challenges/${id}`, query);
}

export function submissionHref(id: string): string {
  return `/submissions/${id}`;
}

type Query = Readonly<Record<string, string | null | undefined>>;

/** The default of `trust` needs no parameter. */
function choiceOf({ tool, trust, class: class_tier, cohort, q }: BoardView): Query {
  return { tool, trust: trust === 'signed' ? null : trust, class: class_tier, cohort, q };
}

/** An address with those parameters that have a value. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => !!entry[1]);
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}
