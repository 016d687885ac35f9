/** What the logs on this device say that a board takes. */
import { createHash } from 'node:crypto';
import { dayAfter, utcDay } from '#core/domain/day.ts';
import { FIRST_DAY } from '#core/domain/snapshot.ts';
import { plain } from '#core/domain/terminal-text.ts';
import { readers } from '#core/readers/readers.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { Progress } from '../command.ts';
import type { Place } from '../device.ts';
import type { SeenLogs } from '../kept/counted-logs.ts';
import { kindOf } from '../logs/files.ts';
import { type ScanResult, scanLogs } from '../logs/scan.ts';
import { modifiedMs } from '../logs/stamp.ts';
import type { StampedLogs } from '../logs/stamped-logs.ts';
import { counted } from '../text/counted.ts';
import type { LeftOutDay } from '../reports.ts';
import type { Sendable } from './compose.ts';
import { impossibleDays, impossibleText } from './impossible-days.ts';

export interface Collected extends Sendable {
  /** What was left out, and why. */
  notes: string[];
  /** Records of days that no board accepts. */
  impossible: LeftOutDay[];
}

/** Enough of a hash to tell the logs of a device apart. */
const NAME_LENGTH = 16;

/** Scans, and leaves out the days that are before 2023 or in the future. */
export async function collect(
  { environment, nowMs }: Pick<Place, 'environment' | 'nowMs'>,
  progress?: Progress,
): Promise<Collected> {
  const scanned = await scanLogs(environment, progress ? { progress } : {});
  const today = utcDay(nowMs());
  const buckets = scanned.buckets.filter(({ day }) => day >= FIRST_DAY && day <= today);
  const impossible = impossibleDays(scanned.buckets, today);
  const whole = scanned.sources.filter(({ files, unreadable }) => {
    return files > 0 && unreadable.length === 0;
  });
  const rules = whole.flatMap(({ tool }) => {
    const reader = readers.find((one) => one.tool === tool);
    return reader ? [[tool, reader.rules]] : [];
  });
  const logs = scanned.logs.map((of) => [of.reader.tool, seenLogs(of, today)]);
  const first = scanned.logs.map((of) => {
    return [of.reader.tool, firstWholeDay(of, scanned.buckets, today)] as const;
  });
  const wholeFrom = new Map(first);
  return {
    buckets,
    rules: Object.fromEntries(rules) as Record<string, number>,
    wholeFrom: (tool) => wholeFrom.get(tool) ?? null,
    logs: Object.fromEntries(logs) as Record<string, SeenLogs>,
    today,
    impossible,
    notes: notesOf(scanned, impossible),
  };
}

function notesOf({ sources, notes }: ScanResult, impossible: readonly LeftOutDay[]): string[] {
  const unread = sources.flatMap(({ unreadable }) => unreadable);
  return [
    ...notes.map(plain),
    ...[impossibleText(impossible) ?? []].flat(),
    ...sources.flatMap(({ tool, skipped: { too_much = 0 } }) => {
      const left = `${counted(too_much, 'response')} of ${tool} left out: too large to be true`;
      return too_much > 0 ? [left] : [];
    }),
    ...unread.map((reason) => `not read: ${plain(reason)}`),
    ...(sources.some(({ files }) => files > 0) ? [] : [absenceText(sources)]),
  ];
}

function absenceText(sources: ScanResult['sources']): string {
  const places = sources.flatMap(({ tool, roots }) => {
    return roots.map((root) => `  ${tool}: ${plain(root)}`);
  });
  return ['No log was found on this device. Looked in:', ...places].join('\n');
}

/** A tool's logs as the board's folder remembers them; paths are hashed. */
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
  { reader, stamps }: StampedLogs,
  buckets: readonly Bucket[],
  today: string,
): string | null {
  const [first] = buckets.filter(({ tool }) => tool === reader.tool).map(({ day }) => day);
  if (first === undefined) return null;
  const isKept = [...stamps.keys()].some((path) => kindOf(path) === 'database');
  if (isKept) return dayAfter(today);
  const written = Array.from(stamps.values(), modifiedMs);
  const oldestMs = written.reduce((least, ms) => Math.min(least, ms), Number.POSITIVE_INFINITY);
  const oldest = Number.isFinite(oldestMs) ? utcDay(oldestMs) : first;
  return dayAfter(oldest > first ? oldest : first);
}
