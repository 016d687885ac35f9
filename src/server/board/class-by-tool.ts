import { usageByTool } from '#core/domain/board/breakdown.ts';
import { CLASS_WINDOW, classTierOf } from '#core/domain/metrics/class-tier.ts';
import { DEFAULT_SLICE } from '#core/domain/board/slices.ts';
import type { ClassTier } from '#core/schema/board.ts';
import { MAX_CLASS_TOOLS, type ToolClass } from '#core/schema/operator.ts';
import type { Publication } from '../publication/read/publication.ts';

type Boards = Pick<Publication, 'tools' | 'window'>;

/** An operator's class on the board of each of its tools, in the order of {@linkcode toolsByUse}. */
export function classByTool(publication: Boards, codename: string): ToolClass[] {
  const recent = tokensByTool(publication.window(CLASS_WINDOW).parts(codename));
  const ever = tokensByTool(publication.window('all_time').parts(codename));
  return toolsByUse(recent, ever).map((tool) => ({
    tool,
    has_board: publication.tools.includes(tool),
    tokens: recent.get(tool) ?? 0,
    class_tier: classOn(publication, tool, codename),
  }));
}

/** The board's tool that an operator has most tokens of; null without any. */
export function mainTool(publication: Boards, codename: string): string | null {
  return classByTool(publication, codename).find(({ has_board }) => has_board)?.tool ?? null;
}

/** Tools by their tokens in 90 days, then in all time, then by name; at most as many as are listed. */
export function toolsByUse(
  recent: ReadonlyMap<string, number>,
  ever: ReadonlyMap<string, number>,
): string[] {
  const in90 = (tool: string) => recent.get(tool) ?? 0;
  return [...ever]
    .sort(([a, ofA], [b, ofB]) => in90(b) - in90(a) || ofB - ofA || (a < b ? -1 : 1))
    .slice(0, MAX_CLASS_TOOLS)
    .map(([tool]) => tool);
}

function tokensByTool(parts: Parameters<typeof usageByTool>[0]): Map<string, number> {
  return new Map(usageByTool(parts).map(({ tool, totals }) => [tool, totals.total]));
}

function classOn({ tools, window }: Boards, tool: string, codename: string): ClassTier {
  if (!tools.includes(tool)) return 'unclassed';
  const board = window(CLASS_WINDOW, { ...DEFAULT_SLICE, tool });
  const found = board.find('yield', codename);
  return classTierOf(found && 'rank' in found ? (found.interval?.[0] ?? null) : null);
}
