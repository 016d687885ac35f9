import { rankingValue } from '#core/domain/board/board.ts';
import { sumPillars } from '#core/domain/counting/bucket.ts';
import { CLASS_WINDOW, classAbove, classTierOf } from '#core/domain/metrics/class-tier.ts';
import { dayNumber, utcDay } from '#core/domain/counting/day.ts';
import { type DayUsage, seriesOf } from '#core/domain/metrics/day-series.ts';
import { improvementsOf } from '#core/domain/peers/improve.ts';
import { RULESET, eligibilityIn } from '#core/domain/board/ruleset.ts';
import { standingOf } from '#core/domain/metrics/standing.ts';
import { firstDayOf } from '#core/domain/metrics/window.ts';
import type { ClassTier } from '#core/schema/board.ts';
import type { NextClass } from '#core/schema/improvement.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { LeadersAnswer } from '../board/answers.ts';
import type { Device } from '../device.ts';
import { orUsageFailure } from '../failure.ts';
import type { SelfImprovement } from '../reports.ts';

export interface LocalDays {
  buckets: readonly Bucket[];
  days: number;
  /** Whose medians of the class above are asked for; null to send nothing. */
  board: string | null;
}

/**
 * What this device's own days say about working better, with the class that they would have on a
 * board of ruleset 1.
 *
 * @throws {Failure} if the board cannot be asked, or the logs hold more than can be added up.
 */
export async function diagnose(
  device: Pick<Device, 'client' | 'nowMs'>,
  { buckets, days, board }: LocalDays,
): Promise<SelfImprovement> {
  refuseTooMany(buckets);
  const usage = buckets.map(usageOf).sort((a, b) => a.day - b.day);
  const last = dayNumber(utcDay(device.nowMs()));
  const class_tier = classOf(usage, last);
  const nextClass = board === null ? null : await askNextClass(device, board, class_tier, usage);
  const diagnosis = improvementsOf({
    usage,
    first: last - days + 1,
    last,
    activeDayTokens: RULESET.active_day_tokens,
    nextClass,
  });
  return { source: 'logs', board, as_of: null, log_index: null, class_tier, ...diagnosis };
}

function refuseTooMany(buckets: readonly Bucket[]): void {
  orUsageFailure(() => sumPillars(buckets));
}

function usageOf({ day, tool, provider, model, ...counts }: Bucket): DayUsage {
  return { ...counts, day: dayNumber(day), source: { tool, provider, model, trust: 'signed' } };
}

function classOf(usage: readonly DayUsage[], last: number): ClassTier {
  const first = firstDayOf(CLASS_WINDOW, last);
  const standing = standingOf(seriesOf(usage), first, last, RULESET.active_day_tokens);
  const eligibility = eligibilityIn(RULESET, CLASS_WINDOW);
  return classTierOf(standing && rankingValue(standing, 'yield', eligibility));
}

async function askNextClass(
  { client }: Pick<Device, 'client'>,
  board: string,
  class_tier: ClassTier,
  usage: readonly DayUsage[],
): Promise<NextClass | null> {
  const next = classAbove(class_tier);
  if (next === null) return null;
  const { tools } = await client.leaders(board, CLASS_WINDOW);
  const shared = [...new Set(usage.map(({ source }) => source.tool))].filter((tool) =>
    tools.includes(tool),
  );
  const medians: NextClass['medians'] = [];
  for (const tool of shared) {
    const answer = await client.leaders(board, CLASS_WINDOW, tool);
    const medianOf = (metric: string) => medianIn(answer, metric, next);
    medians.push({ tool, leverage: medianOf('leverage'), velocity: medianOf('velocity') });
  }
  return { class_tier: next, medians };
}

/** Null where the board tells none. */
function medianIn({ metrics }: LeadersAnswer, metric: string, tier: ClassTier): number | null {
  const medians = metrics.find((leaders) => leaders.metric === metric)?.class_medians ?? [];
  return medians.find(({ class_tier }) => class_tier === tier)?.median ?? null;
}
