import { DEFAULT_VIEW } from '#core/domain/board-path.ts';
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

/**
 * The board of the tool with most ranked operators, because tools count input in different ways; of
 * several such tools the first of the publication. All tools where nobody is ranked by one.
 */
export function frontBoard(publication: Pick<Publication, 'tools' | 'window'>): FrontBoard {
  const { window, metric, trust } = DEFAULT_VIEW;
  let most = 0;
  let front: string | null = null;
  for (const tool of publication.tools) {
    const board = publication.window(window, { tool, trust });
    const total = board.total(metric);
    if (total <= most) continue;
    most = total;
    front = tool;
  }
  return { window, metric, tool: front };
}
