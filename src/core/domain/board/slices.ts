/**
 * The slices of a publication: which boards exist, and which buckets each one counts.
 *
 * @module
 */
import type { BoardSlice } from './board.ts';
import { DEFAULT_VIEW } from './board-path.ts';
import { type DayUsage, onlyThose } from '../metrics/day-series.ts';
import { groupBy } from '../text/group.ts';

/** A tool needs this many operators to get boards of its own, and at most this many tools get some. */
const MIN_OPERATORS = 2;
const MAX_TOOLS = 50;

/** The slice of the default board, which classes and records also use. */
export const DEFAULT_SLICE: BoardSlice = {
  tool: DEFAULT_VIEW.tool,
  trust: DEFAULT_VIEW.trust,
};

/** The key of a slice. */
export function sliceKey({ trust, tool }: BoardSlice): string {
  return `${trust} ${tool ?? ''}`;
}

/** The slices that a publication contains. Without self-reported counts, all of them are signed. */
export function slicesOf({
  tools,
  self_reported,
}: {
  tools: readonly string[];
  self_reported: boolean;
}): BoardSlice[] {
  const trusts: BoardSlice['trust'][] = self_reported ? ['signed', 'all'] : ['signed'];
  return trusts.flatMap((trust) => [null, ...tools].map((tool) => ({ tool, trust })));
}

/**
 * The tools that enough operators used, most operators first, then by name.
 *
 * @param toolsOfEach Each operator's tools, each once.
 */
export function toolsWithBoards(toolsOfEach: Iterable<Iterable<string>>): string[] {
  const operators = new Map<string, number>();
  for (const tools of toolsOfEach) {
    for (const tool of tools) operators.set(tool, (operators.get(tool) ?? 0) + 1);
  }
  return toolsFrom(operators);
}

/** The same from the number of operators who used each tool. */
export function toolsFrom(operators: ReadonlyMap<string, number>): string[] {
  return [...operators]
    .filter(([, count]) => count >= MIN_OPERATORS)
    .sort(([a, ofA], [b, ofB]) => ofB - ofA || (a < b ? -1 : 1))
    .slice(0, MAX_TOOLS)
    .map(([tool]) => tool);
}

/**
 * The buckets that each slice counts, by {@linkcode sliceKey}. Returns the same array if they are the same.
 *
 * @param usage One operator's counting buckets.
 */
export function usageBySlice(usage: readonly DayUsage[]): Map<string, readonly DayUsage[]> {
  const signed = onlyThose(usage, ({ source }) => source.trust === 'signed');
  const ofSigned = byTool(signed);
  const ofAll = signed === usage ? ofSigned : byTool(usage);
  const slices = new Map<string, readonly DayUsage[]>();
  for (const [tool, ofTool] of ofSigned) slices.set(sliceKey({ trust: 'signed', tool }), ofTool);
  for (const [tool, ofTool] of ofAll) slices.set(sliceKey({ trust: 'all', tool }), ofTool);
  return slices;
}

/** Buckets by tool, and all of them under null. Returns the same array if they are the same. */
function byTool(usage: readonly DayUsage[]): Map<string | null, readonly DayUsage[]> {
  const first = usage[0]?.source.tool;
  const tools = new Map<string | null, readonly DayUsage[]>();
  if (first === undefined) return tools.set(null, usage);
  if (usage.every(({ source }) => source.tool === first))
    return tools.set(first, usage).set(null, usage);
  for (const [tool, ofTool] of groupBy(usage, ({ source }) => source.tool)) tools.set(tool, ofTool);
  return tools.set(null, usage);
}
