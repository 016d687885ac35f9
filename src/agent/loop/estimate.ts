/**
 * What the counts of this device would have on a board: yield, class, and what is missing for a rank. Boards can have
 * other rules, and add the counts of other devices.
 *
 * @module
 */
import { DEFAULT_VIEW } from '#core/domain/board/board-path.ts';
import { rankingValue, whatIsMissing } from '#core/domain/board/board.ts';
import { NEWEST_RULESET, type Ruleset, eligibilityIn } from '#core/domain/board/ruleset.ts';
import { FIRST_DAY, dayNumber } from '#core/domain/counting/day.ts';
import { CLASS_WINDOW, classTierOf } from '#core/domain/metrics/class-tier.ts';
import { type DayUsage, seriesOf } from '#core/domain/metrics/day-series.ts';
import { type Standing, standingOf } from '#core/domain/metrics/standing.ts';
import { firstDayOf } from '#core/domain/metrics/window.ts';
import { groupBy } from '#core/domain/text/group.ts';
import type { ClassTier, UnrankedReason, WindowName } from '#core/schema/board.ts';
import type { Bucket } from '#core/schema/usage.ts';

/** The window that boards show first, and the one for classes. */
const MAIN_WINDOWS: readonly WindowName[] = [DEFAULT_VIEW.window, CLASS_WINDOW];

export interface WindowEstimate {
  window: WindowName;
  /** Null without tokens in the window. */
  standing: Standing | null;
  /** What is missing for a rank by yield; empty if nothing is, or without tokens. */
  missing: UnrankedReason[];
}

export interface Estimate {
  /** The rules that were applied, which boards can change. */
  ruleset: string;
  /** For all tools together. */
  class_tier: ClassTier;
  windows: WindowEstimate[];
  /** Each tool alone, most tokens first. */
  tools: { tool: string; windows: WindowEstimate[] }[];
}

/**
 * The estimate for daily counts.
 *
 * @param buckets Their total is at most 2^53-1. Days that no board accepts are left out.
 * @param today The current UTC day.
 * @param ruleset The ranking rules; their numbers can differ on a board.
 */
export function estimateOf(
  buckets: readonly Bucket[],
  today: string,
  windows = MAIN_WINDOWS,
  ruleset = NEWEST_RULESET,
): Estimate {
  const usage = usageOf(buckets.filter(({ day }) => day >= FIRST_DAY && day <= today));
  const last = dayNumber(today);
  const windowsOf = (of: readonly DayUsage[]) => {
    return windows.map((window) => estimateIn(of, window, { last, ruleset }));
  };
  const byTool = [...groupBy(usage, ({ source }) => source.tool)].map(([tool, of]) => {
    return { tool, windows: windowsOf(of) };
  });
  return {
    ruleset: ruleset.id,
    class_tier: classOf(usage, last, ruleset),
    windows: windowsOf(usage),
    tools: byTool.sort((a, b) => tokensIn(b.windows) - tokensIn(a.windows)),
  };
}

/** Daily counts as boards use them, sorted by day. */
export function usageOf(buckets: readonly Bucket[]): DayUsage[] {
  const usage = buckets.map(({ day, tool, provider, model, ...counts }): DayUsage => {
    return { ...counts, day: dayNumber(day), source: { tool, provider, model, trust: 'signed' } };
  });
  return usage.sort((a, b) => a.day - b.day);
}

/** The class of daily counts on the day number `last`. */
export function classOf(
  usage: readonly DayUsage[],
  last: number,
  ruleset = NEWEST_RULESET,
): ClassTier {
  const { standing } = estimateIn(usage, CLASS_WINDOW, { last, ruleset });
  const eligibility = eligibilityIn(ruleset, CLASS_WINDOW);
  return classTierOf(standing && rankingValue(standing, 'yield', eligibility));
}

function estimateIn(
  usage: readonly DayUsage[],
  window: WindowName,
  { last, ruleset }: { last: number; ruleset: Ruleset },
): WindowEstimate {
  const first = firstDayOf(window, last);
  const standing = standingOf(seriesOf(usage), first, last, ruleset);
  const eligibility = eligibilityIn(ruleset, window);
  return {
    window,
    standing,
    missing: standing ? whatIsMissing(standing, 'yield', eligibility) : [],
  };
}

function tokensIn(windows: readonly WindowEstimate[]): number {
  return windows.reduce((sum, { standing }) => sum + (standing?.bases.all.total ?? 0), 0);
}
