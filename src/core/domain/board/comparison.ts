/**
 * Comparisons of operators. Each has one address: names in order, defaults left out.
 *
 * @module
 */
import type { ClassTier } from '#core/schema/board.ts';
import type { OperatorStanding } from '#core/schema/operator.ts';
import {
  type DrawnHistory,
  type OperatorView,
  operatorViewOf,
  viewParameters,
} from './operator-view.ts';

/** How many operators a comparison shows. */
export const MIN_COMPARED = 2;
export const MAX_COMPARED = 4;

export interface ComparisonView extends Pick<OperatorView, 'metric' | 'tool' | 'trust' | 'window'> {
  /** The requested names in lower case, in order, each once. */
  names: readonly string[];
}

export interface ComparedOperator {
  codename: string;
  display_name: string | null;
  /** Of the view's tool. */
  class_tier: ClassTier;
  /** Null without tokens in the window. */
  standing: OperatorStanding | null;
}

/** The data of a comparison's page. */
export interface ComparisonSheet {
  view: ComparisonView;
  as_of: string;
  ruleset: string;
  generated_at: string;
  next_refresh_at: string;
  /** The tools with boards that any of them uses. */
  tools: string[];
  /** Whether any of them has unsigned counts. */
  has_unsigned: boolean;
  /** The highest conservative yield first. */
  operators: (ComparedOperator & { history: DrawnHistory })[];
}

/** Reads a query. Names are separated by commas or spaces. The form of an operator's page sends the others as `and`. */
export function comparisonViewOf(query: URLSearchParams): ComparisonView {
  const { window, tool, trust, metric } = operatorViewOf(query);
  return {
    names: namesIn([...query.getAll('with'), ...query.getAll('and')]),
    window,
    tool,
    trust,
    metric,
  };
}

/** The names in texts, as the address of their comparison has them. */
export function namesIn(texts: readonly string[]): string[] {
  const names = texts
    .join(',')
    .toLowerCase()
    .split(/[\s,]+/);
  return [...new Set(names)].filter((name) => name !== '').sort();
}

/** The query of a comparison. Equal comparisons have equal queries. */
export function comparisonQuery({ names, ...view }: ComparisonView): string {
  const compared = names.length === 0 ? [] : [`with=${namesText(names)}`];
  const parts = [
    ...compared,
    ...viewParameters(view).map((one) => `${new URLSearchParams([one])}`),
  ];
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** The path of a comparison's preview picture, which shows the same view. */
export function comparisonCardPath({ names, ...view }: ComparisonView): string {
  return `/cards/compare/${namesText(names)}.png${comparisonQuery({ ...view, names: [] })}`;
}

/** Commas need no escape, which would make shared addresses hard to read. */
function namesText(names: readonly string[]): string {
  return namesIn(names).map(encodeURIComponent).join(',');
}
