import { setTimeout } from 'node:timers/promises';
import { dayAfter, utcDay, dayName, dayNumber } from '#core/domain/counting/day.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { sumPillars, totalOf } from '#core/domain/counting/bucket.ts';
import { skippedLines } from '#core/readers/reader.ts';
import type { Progress } from '../command.ts';
import type { LocalDevice, Place } from '../device.ts';
import type { Ledger } from '../ledger/ledger.ts';
import {
  type Scan,
  type ScanLedger,
  scanLogs,
  type ScanResult,
  type ToolScan,
} from '../logs/scan.ts';
import type { SeenLogs, Sighting } from '../ledger/types.ts';
import { sha256 } from '../state/sha256.ts';
import { kindOf } from '../logs/files.ts';
import { type StampedLogs, modifiedMs } from '../logs/stamp.ts';
import { orUsageFailure } from '../failure.ts';
import { openForUpdate } from './note-copy.ts';

interface DeviceScan {
  scanned: Scan;
  ledger: Ledger;
  /** Whether the ledger holds on disk what the logs say. */
  isKept: boolean;
  notes: string[];
}

type ScanPlace = Pick<Place, 'environment' | 'nowMs'> & Partial<Pick<LocalDevice, 'wait'>>;

/** Scans, and updates the ledger with what is new. Neither fails as a whole: notes say what is missing. */
export async function scanDevice(
  { environment, nowMs, wait = pause }: ScanPlace,
  progress?: Progress,
): Promise<DeviceScan> {
  const ledger = openForUpdate({ environment, nowMs }, { wait });
  const today = utcDay(nowMs());
  const notes: string[] = [];
  const fed: ScanLedger = {
    get id() {
      return ledger.id;
    },
    get run() {
      return ledger.run;
    },
    rulesOf: (tool) => ledger.rulesOf(tool),
    async take(scans) {
      const sightings = scans.map((one) => sightingOf(one, today));
      notes.push(...(await ledger.update(sightings, today)).notes);
    },
  };
  const options = progress ? { progress } : {};
  const scanned = await scanLogs(environment, { ...options, ledger: fed });
  return { scanned, ledger, isKept: ledger.isSaved, notes };
}

/** The same for those who want to know what the logs say, with all notes. */
export async function scanAndKeep(place: ScanPlace, progress?: Progress): Promise<Scan> {
  const { scanned, notes } = await scanDevice(place, progress);
  return { ...scanned, notes: [...scanned.notes, ...notes] };
}

async function pause(ms: number): Promise<void> {
  await setTimeout(ms);
}

/** Enough of a hash to tell the logs of a device apart. */
const NAME_LENGTH = 16;

/** @param today The day on which the logs were read. */
export function sightingOf(
  { logs, buckets, responses }: Pick<ToolScan, 'buckets' | 'logs' | 'responses'>,
  today: string,
): Sighting {
  const { tool, rules } = logs.reader;
  const seen = seenLogs(logs, today);
  const wholeFrom = firstWholeDay(logs, buckets, today);
  return { tool, rules, responses, seen, wholeFrom };
}

/** A tool's logs as the ledger remembers them; paths are hashed. */
function seenLogs({ files, stamps, unreadable }: StampedLogs, today: string): SeenLogs {
  const logs = Array.from(stamps, ([path, stamp]) => {
    const name = sha256(path).toString('base64url').slice(0, NAME_LENGTH);
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

/** What a scan found of so many last UTC days, today included; all if absent. Its sources stay those of all days. */
export function lastDays<Found extends Pick<ScanResult, 'buckets'>>(
  found: Found,
  days: number | undefined,
  nowMs: number,
): Found {
  if (days === undefined) return found;
  const first = firstOf(days, nowMs);
  return { ...found, buckets: found.buckets.filter(({ day }) => day >= first) };
}

export function firstOf(days: number, nowMs: number): string {
  return dayName(dayNumber(utcDay(nowMs)) - days + 1);
}

/**
 * What a scan found, without the records.
 *
 * @throws {Failure} `usage` if the logs hold more tokens than can be counted.
 */
export function scanReport({ buckets, sources, notes }: ScanResult) {
  const totals = orUsageFailure(() => sumPillars(buckets));
  return {
    totals: { ...totals, total: totalOf(totals) },
    days: new Set(buckets.map(({ day }) => day)).size,
    sources: sources.map(({ tool, roots, files, events, skipped, unreadable }) => {
      const skipped_lines = skippedLines(skipped);
      return { tool, roots, files, events, skipped_lines, skipped, unreadable };
    }),
    notes,
  };
}
