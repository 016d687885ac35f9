/**
 * Milestones of an operator. They are derived from counts, stored days, records and final standings, and not stored, so
 * they change with them: a count that is withdrawn takes its milestones with it.
 *
 * @module
 */
import type { ClassTier, WindowName } from '#core/schema/board.ts';
import type { MetricName } from '#core/schema/record.ts';
import { dayName } from '../counting/day.ts';
import { groupBy } from '../text/group.ts';
import type { DaySeries } from '../metrics/day-series.ts';
import { standingOf } from '../metrics/standing.ts';
import { firstDayOf } from '../metrics/window.ts';
import { rankingValue } from './board.ts';
import { eligibilityIn, type Ruleset } from './ruleset.ts';
import { CLASS_TIERS, classLevel } from '../metrics/class-tier.ts';
import type { HistoryPeriod } from '../metrics/history.ts';

/** An event worth remembering, with the UTC day on which it happened. */
export type Milestone = { day: string } & (
  | { kind: 'first_rank'; rank: number }
  | { kind: 'active_days'; days: number }
  | { kind: 'class'; class_tier: Exclude<ClassTier, 'unclassed'> }
  | { kind: 'records'; achieved_at: string; metrics: readonly MetricName[] }
  | { kind: 'challenge'; id: string; title: string; rank: number; total: number }
);

/** What milestones are derived from. */
export interface MilestoneFacts {
  /** The signed days of all tools, oldest first. */
  days: readonly Pick<HistoryPeriod, 'first' | 'totals'>[];
  activeDayTokens: number;
  /** Ranks on the default board, oldest first, at least up to the first day with a rank. */
  ranks: readonly { day: string; rank: number | null }[];
  /** Classes, oldest first, at least each one that is higher than all before. */
  classes: readonly { day: string; class_tier: ClassTier }[];
  /** All records of the operator, also those that were beaten. */
  records: readonly { metric: MetricName; achieved_at: string }[];
  /** Final standings. */
  challenges: readonly { id: string; title: string; day: string; rank: number; total: number }[];
}

/**
 * The conservative yield of a window that ends with a day; null if the operator cannot be ranked there.
 *
 * @param last The number of the day.
 */
export function rankingYield(
  series: DaySeries,
  window: WindowName,
  last: number,
  ruleset: Ruleset,
): number | null {
  const standing = standingOf(series, firstDayOf(window, last), last, ruleset);
  return standing && rankingValue(standing, 'yield', eligibilityIn(ruleset, window));
}

/** The numbers of active days that are milestones. The first one is that of a record. */
export const ACTIVE_DAY_MILESTONES: readonly number[] = [30, 100, 365, 1000];

/** All milestones, newest first. */
export function milestonesOf(facts: MilestoneFacts): Milestone[] {
  const found: Milestone[] = [
    ...firstRank(facts),
    ...activeDays(facts),
    ...newClasses(facts),
    ...newRecords(facts),
    ...facts.challenges.map((placement) => ({ kind: 'challenge' as const, ...placement })),
  ];
  return found.sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0));
}

/** Identifies a milestone among those of its operator, also if its day changes with later counts. */
export function milestoneName(milestone: Milestone): string {
  switch (milestone.kind) {
    case 'first_rank':
      return 'first rank';
    case 'active_days':
      return `active days ${milestone.days}`;
    case 'class':
      return `class ${milestone.class_tier}`;
    case 'records':
      return `records ${milestone.achieved_at}`;
    case 'challenge':
      return `challenge ${milestone.id}`;
  }
}

function firstRank({ ranks }: MilestoneFacts): Milestone[] {
  const found = ranks.find(({ rank }) => rank !== null);
  return found?.rank ? [{ kind: 'first_rank', day: found.day, rank: found.rank }] : [];
}

function activeDays({ days, activeDayTokens }: MilestoneFacts): Milestone[] {
  const active = days.filter(({ totals }) => totals.total >= activeDayTokens);
  return ACTIVE_DAY_MILESTONES.flatMap((count) => {
    const day = active[count - 1];
    return day ? [{ kind: 'active_days' as const, day: dayName(day.first), days: count }] : [];
  });
}

/** A class counts when it is higher than all before. Classes that were skipped are not listed. */
function newClasses({ classes }: MilestoneFacts): Milestone[] {
  const found: Milestone[] = [];
  let highest = -1;
  for (const { day, class_tier } of classes) {
    const level = classLevel(class_tier);
    const tier = CLASS_TIERS[level];
    if (tier === undefined || level <= highest) continue;
    highest = level;
    found.push({ kind: 'class', day, class_tier: tier });
  }
  return found;
}

/** Records that the same board showed first are one milestone. */
function newRecords({ records }: MilestoneFacts): Milestone[] {
  const together = groupBy(records, ({ achieved_at }) => achieved_at);
  return [...together].map(([achieved_at, of]) => {
    const metrics = of.map(({ metric }) => metric);
    return { kind: 'records' as const, day: achieved_at.slice(0, 10), achieved_at, metrics };
  });
}
