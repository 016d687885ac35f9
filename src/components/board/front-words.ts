import type { BoardEntry } from '#core/schema/board.ts';
import { PILLARS } from '../../charts/labels.ts';

/** The tokens of some operators by type, and all of them; null if there are none. */
export function sumOfTokens(
  entries: readonly Pick<BoardEntry, 'totals'>[],
): BoardEntry['totals'] | null {
  if (entries.length === 0) return null;
  const sumOf = (pillar: (typeof PILLARS)[number]) => {
    return entries.reduce((sum, { totals }) => sum + (totals[pillar] ?? 0), 0);
  };
  return {
    input: sumOf('input'),
    output: sumOf('output'),
    cache_write: sumOf('cache_write'),
    cache_read: sumOf('cache_read'),
    total: entries.reduce((sum, { totals }) => sum + totals.total, 0),
  };
}
