import type { BoardEntry, WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';

/** What the picture of the front page shows. */
export interface SocialCardFacts {
  window: WindowName;
  metric: MetricName;
  /** Null for all tools together. */
  tool: string | null;
  /** The tools that have boards of their own. */
  tools: string[];
  as_of: string;
  /** How many are ranked, and how many are not. */
  total: number;
  unranked: number;
  /** The first of those who are ranked. */
  entries: readonly BoardEntry[];
}
