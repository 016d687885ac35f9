import {
  type ComparedOperator,
  type ComparisonSheet,
  type ComparisonView,
  MAX_COMPARED,
  MIN_COMPARED,
} from '#core/domain/board/comparison.ts';
import { drawnIntervals, type DrawnHistory } from '#core/domain/board/operator-view.ts';
import { nullIfRefused, refusalAmong } from '#core/domain/text/errors.ts';
import { Codename } from '#core/schema/scalars.ts';
import type { AppContext } from '../context.ts';
import { currentName } from '../operator/codenames.ts';
import { yieldToEventLoop } from '../process/yield-to-event-loop.ts';
import { currentPublication } from '../publication/read/current-publication.ts';
import { sliceOf } from './board-head.ts';
import { readyOperatorHistory } from './operator-history.ts';
import { readDrawnHistory, usedBy } from './operator-page.ts';
import { readOperatorIn } from './operator.ts';

/** A comparison, or why there is none. */
export type FoundComparison =
  | { kind: 'shown'; sheet: ComparisonSheet }
  | { kind: 'too_few' | 'too_many' }
  /** Some operators have no page. */
  | { kind: 'no_page'; missing: string[]; found: string[] }
  /** Some names are former codenames. */
  | { kind: 'renamed'; names: string[] }
  /** The tool has no boards. */
  | { kind: 'no_board' };

/** Compares operators. Yields to the event loop. */
export async function findComparison(
  ctx: AppContext,
  view: ComparisonView,
): Promise<FoundComparison> {
  const found = findCompared(ctx, view);
  if (found.kind !== 'found') return found;
  const head = headOfComparison(ctx, view);
  try {
    const operators: ComparisonSheet['operators'] = [];
    for (const operator of found.operators) {
      operators.push({ ...operator, history: await drawnHistory(ctx, operator.codename, view) });
      await yieldToEventLoop();
    }
    return { kind: 'shown', sheet: { ...head, operators } };
  } catch (error) {
    refusalAmong(error, 'not_found');
    // An operator was hidden meanwhile.
    const now = findCompared(ctx, view);
    if (now.kind === 'found') throw error;
    return now;
  }
}

function headOfComparison(
  ctx: AppContext,
  view: ComparisonView,
): Omit<ComparisonSheet, 'operators'> {
  const publication = currentPublication(ctx);
  const { as_of, ruleset, generated_at, next_refresh_at } = publication;
  const used = view.names.map((name) => usedBy(publication, name));
  return {
    ...{ view, as_of, ruleset, generated_at, next_refresh_at },
    tools: publication.tools.filter((tool) => used.some(({ tools }) => tools.includes(tool))),
    has_unsigned: used.some(({ has_unsigned }) => has_unsigned),
  };
}

/** Finds operators by current or former codenames, without their history. */
export function findCompared(
  ctx: AppContext,
  view: ComparisonView,
): Exclude<FoundComparison, { kind: 'shown' }> | { kind: 'found'; operators: ComparedOperator[] } {
  const { names } = view;
  if (names.length < MIN_COMPARED) return { kind: 'too_few' };
  if (names.length > MAX_COMPARED) return { kind: 'too_many' };
  const current = names.map((name) => {
    return Codename.safeParse(name).success ? currentName(ctx, name) : name;
  });
  if (current.some((name, at) => name !== names[at])) {
    return { kind: 'renamed', names: [...new Set(current)].sort() };
  }
  if (!hasBoard(ctx, view)) return { kind: 'no_board' };
  const operators = names.flatMap((name) => readCompared(ctx, name, view) ?? []);
  const found = operators.map(({ codename }) => codename);
  const missing = names.filter((name) => !found.includes(name));
  if (missing.length > 0) return { kind: 'no_page', missing, found };
  return { kind: 'found', operators: operators.sort((a, b) => yieldOf(b) - yieldOf(a)) };
}

function hasBoard(ctx: AppContext, view: ComparisonView): boolean {
  const { tools } = currentPublication(ctx);
  return nullIfRefused(() => sliceOf(view, tools), 'query_invalid') !== null;
}

function readCompared(
  ctx: AppContext,
  name: string,
  view: ComparisonView,
): ComparedOperator | null {
  if (!Codename.safeParse(name).success) return null;
  const detail = nullIfRefused(() => readOperatorIn(ctx, name, view), 'not_found');
  if (detail === null) return null;
  const { codename, display_name, standing, class_by_tool } = detail;
  const ofTool = class_by_tool?.find(({ tool }) => tool === view.tool);
  const class_tier = view.tool === null ? detail.class_tier : ofTool?.class_tier;
  return { codename, display_name, standing, class_tier: class_tier ?? 'unclassed' };
}

/** The number that ranks; negative without one. */
function yieldOf({ standing }: ComparedOperator): number {
  return standing?.metrics.yield.conservative ?? -1;
}

/** The history by week if the window allows it, because lines of single days cross too often. */
async function drawnHistory(
  ctx: AppContext,
  codename: string,
  { window, metric }: ComparisonView,
): Promise<DrawnHistory> {
  const interval = drawnIntervals(window).at(-1) ?? 'day';
  await readyOperatorHistory(ctx, codename, { window });
  return readDrawnHistory(ctx, codename, { window, metric, interval });
}

/** What a comparison's preview picture shows; null if there is no such comparison. */
export function readComparisonCard(ctx: AppContext, asked: ComparisonView) {
  const found = findCompared(ctx, asked);
  const view = found.kind === 'renamed' ? { ...asked, names: found.names } : asked;
  const compared = found.kind === 'renamed' ? findCompared(ctx, view) : found;
  if (compared.kind !== 'found') return null;
  return { view, operators: compared.operators, as_of: currentPublication(ctx).as_of };
}
