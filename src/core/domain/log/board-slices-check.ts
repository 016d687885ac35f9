/** Checks that a board has the slices that follow from the log. */
import type { BoardLine } from '#core/schema/public-log.ts';
import type { UsageExtent } from './logged-account.ts';
import { sliceKey, toolsWithBoards } from '../board/slices.ts';

interface SeenBoard {
  /** The number of the day with which the board's windows end. */
  last: number;
  /** Whether all operators on the board are visible. Otherwise it may have more slices than they explain. */
  isWhole: boolean;
}

/**
 * The fault in the slices of a board; null if there is none.
 *
 * @param accounts The extent of each visible operator's usage.
 */
export function slicesFault(
  { tools, self_reported }: Pick<BoardLine, 'self_reported' | 'tools'>,
  accounts: readonly UsageExtent[],
  { last, isWhole }: SeenBoard,
): string | null {
  const own = toolsWithBoards(accounts.map((usage) => toolsUntil(usage, last)));
  const isSelfReported = accounts.some((usage) => usage.firstSelfReported <= last);
  const fits = isWhole
    ? own.join('\n') === tools.join('\n') && isSelfReported === self_reported
    : own.every((tool) => tools.includes(tool)) && (self_reported || !isSelfReported);
  if (fits) return null;
  const trust = isSelfReported ? ', and self-reported counts' : '';
  return `has different slices than the log gives: tools ${own.join(', ') || 'none'}${trust}`;
}

/** The tools for which an operator has buckets up to a day. */
function toolsUntil({ tools, firstDays }: UsageExtent, last: number): string[] {
  return tools.filter((tool) => {
    return (firstDays.get(sliceKey({ trust: 'all', tool })) ?? Infinity) <= last;
  });
}
