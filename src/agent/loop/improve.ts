/**
 * Compares days to find possible improvements: the days of all devices on the board, or those in the logs of this
 * device. The MCP tool prefers the board, because an agent asks about its operator. The command uses the logs, and
 * contacts a board only if one is named.
 *
 * @module
 */
import { LEAKS } from '#core/domain/peers/leaks.ts';
import type { Improvement, NextClass } from '#core/schema/improvement.ts';
import { sumPillars } from '#core/domain/counting/bucket.ts';
import { CLASS_WINDOW, classAbove } from '#core/domain/metrics/class-tier.ts';
import { dayNumber, utcDay } from '#core/domain/counting/day.ts';
import type { DayUsage } from '#core/domain/metrics/day-series.ts';
import { improvementsOf } from '#core/domain/peers/improve.ts';
import { NEWEST_RULESET } from '#core/domain/board/ruleset.ts';
import type { ClassTier } from '#core/schema/board.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { Progress } from '../command.ts';
import { type LocalDevice, identityOf } from '../device.ts';
import { EXIT, Failure, orUsageFailure } from '../failure.ts';
import type { Identity } from '../state/keystore.ts';
import type { ScanResult } from '../logs/scan.ts';
import type { SelfImprovement } from '../reports.ts';
import type { LeadersAnswer } from '../board/answers.ts';
import { classOf, usageOf } from './estimate.ts';
import { scanAndKeep } from './scan-device.ts';

export const DEFAULT_DAYS = 90;

interface ImproveOptions {
  board: string | undefined;
  days: number | undefined;
  /** The highest number of entries. By default the board's own limit, or all entries from logs. */
  limit?: number;
  progress?: Progress;
}

/**
 * For the MCP tool: asks the board, unless `days` is set or this device is not enrolled. With `days` and `board`, only
 * the medians of the class above are from the board.
 *
 * @throws {Failure} if the request fails, or if the total of the logs is too large to count.
 */
export async function improveOperator(
  device: LocalDevice,
  { board, days, limit, progress }: ImproveOptions,
): Promise<SelfImprovement> {
  const isAsked = board !== undefined || (days === undefined && device.keystore.isEnrolled());
  const identity = isAsked ? identityOf(device, board) : null;
  if (identity && days === undefined) return improveByBoard(device, identity, limit);
  const { buckets } = await scanAndKeep(device, progress);
  const asked = { buckets, days: days ?? DEFAULT_DAYS, board: identity?.board ?? null };
  const diagnosis = await diagnose(device, asked);
  return { ...diagnosis, entries: diagnosis.entries.slice(0, limit) };
}

/** Receives the scan, and the error if the board could not be asked. */
interface ImproveListener {
  scanned: (result: ScanResult) => void;
  failed: (failure: Failure) => void;
}

/**
 * For the command: uses the logs of this device, and the medians of a board if one is named. If the board cannot be
 * asked, the result is without medians.
 *
 * @throws {Failure} if the total of the logs is too large to count.
 */
export async function improveMachine(
  device: LocalDevice,
  { board, days = DEFAULT_DAYS, progress }: ImproveOptions,
  { scanned, failed }: ImproveListener,
): Promise<SelfImprovement> {
  const result = await scanAndKeep(device, progress);
  scanned(result);
  const { buckets } = result;
  try {
    return await diagnose(device, { buckets, days, board: board ?? null });
  } catch (error) {
    if (!(error instanceof Failure) || error.exitCode === EXIT.usage) throw error;
    failed(error);
    return diagnose(device, { buckets, days, board: null });
  }
}

async function improveByBoard(
  { client }: LocalDevice,
  identity: Identity,
  limit: number | undefined,
): Promise<SelfImprovement> {
  const query = limit === undefined ? {} : { limit: String(limit) };
  const answer = await client.improvements(identity, query);
  const entries = answer.entries.map(inOwnWords);
  return { source: 'board', board: identity.board, ...answer, entries };
}

/** Uses our own texts for habits and trade-offs, not those of the board. */
function inOwnWords(entry: Improvement): Improvement {
  const known = LEAKS.find(({ name }) => name === entry.leak);
  return known ? { ...entry, habit: known.habit, trade_off: known.trade_off } : entry;
}

interface LocalDays {
  buckets: readonly Bucket[];
  days: number;
  /** The board to ask for medians of the class above; null to contact none. */
  board: string | null;
}

/**
 * Possible improvements from the days on this device and the class that they would have on a new board.
 *
 * @throws {Failure} if the request fails, or if the total of the logs is too large to count.
 */
export async function diagnose(
  device: Pick<LocalDevice, 'client' | 'nowMs'>,
  { buckets, days, board }: LocalDays,
): Promise<SelfImprovement> {
  orUsageFailure(() => sumPillars(buckets));
  const usage = usageOf(buckets);
  const last = dayNumber(utcDay(device.nowMs()));
  const class_tier = classOf(usage, last);
  const nextClass = board === null ? null : await askNextClass(device, board, class_tier, usage);
  const diagnosis = improvementsOf({
    usage,
    first: last - days + 1,
    last,
    rules: NEWEST_RULESET,
    nextClass,
  });
  return { source: 'logs', board, as_of: null, log_index: null, class_tier, ...diagnosis };
}

async function askNextClass(
  { client }: Pick<LocalDevice, 'client'>,
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

/** Null if the board has none. */
function medianIn({ metrics }: LeadersAnswer, metric: string, tier: ClassTier): number | null {
  const medians = metrics.find((leaders) => leaders.metric === metric)?.class_medians ?? [];
  return medians.find(({ class_tier }) => class_tier === tier)?.median ?? null;
}
