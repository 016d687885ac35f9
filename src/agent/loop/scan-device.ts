import { setTimeout } from 'node:timers/promises';
import { dayAfter, utcDay } from '#core/domain/counting/day.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { sumPillars, totalOf } from '#core/domain/counting/bucket.ts';
import { skippedLines } from '#core/readers/shared/reader.ts';
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
import { excludedTools } from '../logs/excluded.ts';
import { kindOf } from '../logs/files.ts';
import { type StampedLogs, modifiedMs } from '../logs/stamp.ts';
import { orUsageFailure } from '../failure.ts';
import { renewStatusLine } from '../statusline/program.ts';
import { counted } from '../text/figures.ts';
import { openForUpdate } from './note-copy.ts';

interface DeviceScan {
  scanned: Scan;
  ledger: Ledger;
  /** Whether the ledger is saved on disk. */
  isKept: boolean;
  notes: string[];
}

type ScanPlace = Pick<Place, 'environment' | 'nowMs'> & Partial<Pick<LocalDevice, 'wait'>>;

/**
 * Scans the logs and updates the ledger. Never throws for a part that fails; notes say what is missing.
 *
 * @throws {Failure} `usage` if the settings for excluded tools and folders are wrong.
 */
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
    hasCounted: (tool, path) => ledger.hasCounted(tool, logName(path)),
    async forget(scans) {
      const removed = await ledger.forget(
        scans.map(({ logs: { reader, stamps }, responses }) => {
          return { tool: reader.tool, names: new Set([...stamps.keys()].map(logName)), responses };
        }),
      );
      if (removed > 0) notes.push(excludedText(removed));
    },
    async take(scans) {
      const sightings = scans.map((one) => sightingOf(one, today));
      notes.push(...(await ledger.update(sightings, today)).notes);
    },
  };
  const options = progress ? { progress } : {};
  const scanned = await scanLogs(environment, { ...options, ledger: fed });
  ledger.noteScan(nowMs());
  renewStatusLine(environment);
  return { scanned, ledger, isKept: ledger.isSaved, notes };
}

/** A scan whose daily counts include the responses of logs that no longer exist. */
export interface KeptScan extends Scan {
  /** The tokens of these responses. */
  gone: number;
}

/** Like {@linkcode scanDevice}, but returns the daily counts of the ledger without excluded tools, and all notes. */
export async function scanAndKeep(place: ScanPlace, progress?: Progress): Promise<KeptScan> {
  const excluded = excludedTools(place.environment);
  const { scanned, ledger, notes } = await scanDevice(place, progress);
  const buckets = ledger.buckets().filter(({ tool }) => !excluded.includes(tool));
  const gone = Math.max(0, tokensIn(buckets) - tokensIn(scanned.buckets));
  return { ...scanned, buckets, gone, notes: [...scanned.notes, ...notes] };
}

function tokensIn(buckets: readonly Bucket[]): number {
  return buckets.reduce((sum, bucket) => sum + totalOf(bucket), 0);
}

function excludedText(removed: number): string {
  const what = `${counted(removed, 'response')} in excluded folders removed from the counts here`;
  return `${what}. Boards keep the counts that they have. To replace them: opbench withdraw ID, then opbench submit --withdrawn`;
}

async function pause(ms: number): Promise<void> {
  await setTimeout(ms);
}

/** Characters of a hash, enough to distinguish the logs of a device. */
const NAME_LENGTH = 16;

function logName(path: string): string {
  return sha256(path).toString('base64url').slice(0, NAME_LENGTH);
}

/** @param today The day on which the logs were read. */
export function sightingOf(
  { logs, buckets, news, known }: Pick<ToolScan, 'buckets' | 'known' | 'logs' | 'news'>,
  today: string,
): Sighting {
  const { tool, rules } = logs.reader;
  const seen = seenLogs(logs, today);
  const wholeFrom = firstWholeDay(logs, buckets, today);
  return { tool, rules, responses: news, known, seen, wholeFrom };
}

/** A tool's logs as the ledger stores them, with hashed paths. */
function seenLogs({ files, stamps, unreadable }: StampedLogs, today: string): SeenLogs {
  const logs = Array.from(stamps, ([path, stamp]) => {
    const name = logName(path);
    const day = kindOf(path) === 'database' ? today : utcDay(modifiedMs(stamp));
    return [name, [day, stamp.size]] as const;
  });
  return {
    logs: Object.fromEntries(logs) as SeenLogs['logs'],
    isAll: files > 0 && unreadable.length === 0,
  };
}

/**
 * The first day for which a tool's logs are certainly complete; null if there are no counts. Tools delete the logs
 * that have not been written to for the longest time, so days after the oldest modification time are complete. The
 * first day with counts is never considered complete. Deletions in a database leave no trace.
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

/** Limits a scan to the days from `first` on; null for all. Its sources still cover all days. */
export function daysFrom<Found extends Pick<ScanResult, 'buckets'>>(
  found: Found,
  first: string | null,
): Found {
  if (first === null) return found;
  return { ...found, buckets: found.buckets.filter(({ day }) => day >= first) };
}

/**
 * The report of a scan, without records.
 *
 * @throws {Failure} `usage` if the total is too large to count.
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
