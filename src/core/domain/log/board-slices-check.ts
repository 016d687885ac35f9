/** Which slices a board must have by the log. */
import type { BoardLine } from '#core/schema/public-log.ts';
import type { AccountUsage } from './logged-account.ts';
import { sliceKey, toolsWithBoards } from '../board/slices.ts';

interface SeenBoard {
  /** The number of the day with which the board's windows end. */
  last: number;
  /** Whether the shown operators are all who were on the board; else it may have more slices than they give. */
  isWhole: boolean;
}

/**
 * What is wrong with the slices that a board states; null if nothing is.
 *
 * @param accounts What counts of each shown operator.
 */
export function slicesFault(
  { tools, self_reported }: Pick<BoardLine, 'self_reported' | 'tools'>,
  accounts: readonly AccountUsage[],
  { last, isWhole }: SeenBoard,
): string | null {
  const own = toolsWithBoards(accounts.map((usage) => toolsUntil(usage, last)));
  const isSelfReported = accounts.some((usage) => usage.firstSelfReported <= last);
  const fits = isWhole
    ? own.join('\n') === tools.join('\n') && isSelfReported === self_reported
    : own.every((tool) => tools.includes(tool)) && (self_reported || !isSelfReported);
  if (fits) return null;
  const trust = isSelfReported ? ', and of self-reported counts' : '';
  return `has other slices than the log gives: of the tools ${own.join(', ') || 'none'}${trust}`;
}

/** The tools that an operator has buckets of on a day or before. */
function toolsUntil({ tools, series }: AccountUsage, last: number): string[] {
  return tools.filter((tool) => {
    const first = series.get(sliceKey({ trust: 'all', tool }))?.all.day[0];
    return first !== undefined && first <= last;
  });
}
