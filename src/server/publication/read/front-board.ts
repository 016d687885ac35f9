import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import type { WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import type { Publication } from './publication.ts';

/** The board that the front page shows. */
export interface FrontBoard {
  window: WindowName;
  metric: MetricName;
  /** Null for all tools together. */
  tool: string | null;
}

/** The board of the tool with most ranked operators, because tools count input in different ways. */
export function frontBoard(publication: Pick<Publication, 'tools' | 'window'>): FrontBoard {
  const { window, metric, trust } = DEFAULT_VIEW;
  const tool = busiestTool(publication.tools, (one) => {
    return publication.window(window, { tool: one, trust }).total(metric);
  });
  return { window, metric, tool };
}

/**
 * The tool with most ranked operators, of several such tools the first; null, all tools together, where
 * nobody is ranked by one.
 *
 * @param totalOf How many are ranked by a tool.
 */
export function busiestTool(
  tools: readonly string[],
  totalOf: (tool: string) => number,
): string | null {
  let most = 0;
  let busiest: string | null = null;
  for (const tool of tools) {
    const total = totalOf(tool);
    if (total <= most) continue;
    most = total;
    busiest = tool;
  }
  return busiest;
}
