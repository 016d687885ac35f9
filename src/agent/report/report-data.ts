/** The data of a report. */
import { NEWEST_RULESET, usualRuleset } from '#core/domain/board/ruleset.ts';
import { totalOf } from '#core/domain/counting/bucket.ts';
import { dayNumber, utcDay } from '#core/domain/counting/day.ts';
import type { DayUsage } from '#core/domain/metrics/day-series.ts';
import { WINDOWS } from '#core/domain/metrics/window.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { type Estimate, estimateOf, usageOf } from '../loop/estimate.ts';
import { type KeptScan, daysFrom, scanReport } from '../loop/scan-device.ts';
import type { BoardRank } from './board-rank.ts';
import type { ProjectCounts } from '../logs/projects.ts';
import { type ToolDays, compareDays } from './compare-days.ts';
import { type RollingPoint, rollingStandings } from './rolling.ts';

export interface ReportData {
  nowMs: number;
  /** The first and the last day with tokens; null without any. */
  days: { first: string; last: string } | null;
  /** The daily counts of the report. */
  buckets: readonly Bucket[];
  report: ReturnType<typeof scanReport>;
  /** Tokens whose logs no longer exist. */
  gone: number;
  /** Over all days, also with --since. */
  estimate: Estimate;
  rolling: RollingPoint[];
  compared: ToolDays[];
  /** Null if no board was named. */
  rank: BoardRank | null;
  /** Null if project names were not requested. */
  projects: ProjectCounts | null;
}

interface Asked extends Pick<ReportData, 'projects' | 'rank'> {
  scanned: KeptScan;
  /** The first day; null for all. */
  since: string | null;
  nowMs: number;
}

/**
 * The data of a report.
 *
 * @throws {Failure} `usage` if the total is too large to count.
 */
export function reportData({ scanned, since, nowMs, rank, projects }: Asked): ReportData {
  const today = utcDay(nowMs);
  const isUsed = (bucket: Bucket) => totalOf(bucket) > 0 && bucket.day <= today;
  const all = scanned.buckets.filter(isUsed);
  const found = daysFrom({ ...scanned, buckets: all }, since);
  const report = scanReport(found);
  const days = spanOf(found.buckets);
  return {
    nowMs,
    days,
    buckets: found.buckets,
    report,
    gone: scanned.gone,
    estimate: estimateOf(scanned.buckets, today, WINDOWS, rulesOf(rank)),
    rolling: days === null ? [] : rollingFrom(usageOf(all), days.first, today),
    compared: compareDays(found.buckets),
    rank,
    projects,
  };
}

/** A rank is estimated under the rules of its board. */
function rulesOf(rank: BoardRank | null) {
  const id = rank?.answer?.ruleset;
  return id ? usualRuleset(id) : NEWEST_RULESET;
}

function rollingFrom(usage: readonly DayUsage[], first: string, today: string): RollingPoint[] {
  return rollingStandings(usage, dayNumber(first), dayNumber(today));
}

function spanOf(buckets: readonly Bucket[]): ReportData['days'] {
  const sorted = buckets.map(({ day }) => day).sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  return first === undefined || last === undefined ? null : { first, last };
}
