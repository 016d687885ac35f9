/** What a scan found of one tool, as the ledger takes it. */
import { createHash } from 'node:crypto';
import { dayAfter, utcDay } from '#core/domain/counting/day.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { SeenLogs } from '../kept/counted-logs.ts';
import type { Sighting } from '../ledger/types.ts';
import { kindOf } from '../logs/files.ts';
import type { ToolTold } from '../logs/scan-ledger.ts';
import { modifiedMs } from '../logs/stamp.ts';
import type { StampedLogs } from '../logs/stamped-logs.ts';

/** Enough of a hash to tell the logs of a device apart. */
const NAME_LENGTH = 16;

/** @param today The day on which the logs were read. */
export function sightingOf(
  { logs, buckets, responses, isWhole }: ToolTold,
  today: string,
): Sighting {
  const { tool, rules } = logs.reader;
  const seen = seenLogs(logs, today);
  const wholeFrom = firstWholeDay(logs, buckets, today);
  return { tool, rules, responses, isWhole, seen, wholeFrom };
}

/** A tool's logs as the ledger remembers them; paths are hashed. */
function seenLogs({ files, stamps, unreadable }: StampedLogs, today: string): SeenLogs {
  const logs = Array.from(stamps, ([path, stamp]) => {
    const name = createHash('sha256').update(path).digest('base64url').slice(0, NAME_LENGTH);
    const day = kindOf(path) === 'database' ? today : utcDay(modifiedMs(stamp));
    return [name, [day, stamp.size]] as const;
  });
  return {
    logs: Object.fromEntries(logs) as SeenLogs['logs'],
    isAll: files > 0 && unreadable.length === 0,
  };
}

/**
 * The first day of which a tool's logs tell all, as far as they show that themselves. Tools delete
 * the logs that were not written to for longest, so nothing is missing of the days after the oldest
 * last writing; nor is the first day that is seen at all taken for whole. What went from a database
 * leaves no trace.
 */
function firstWholeDay(
  { stamps }: StampedLogs,
  buckets: readonly Bucket[],
  today: string,
): string | null {
  const [first] = buckets.map(({ day }) => day).sort();
  if (first === undefined) return null;
  const isKept = [...stamps.keys()].some((path) => kindOf(path) === 'database');
  if (isKept) return dayAfter(today);
  const written = Array.from(stamps.values(), modifiedMs);
  const oldestMs = written.reduce((least, ms) => Math.min(least, ms), Number.POSITIVE_INFINITY);
  const oldest = Number.isFinite(oldestMs) ? utcDay(oldestMs) : first;
  return dayAfter(oldest > first ? oldest : first);
}
