/** Reads all logs on this device: files in, daily buckets out. */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { sortBuckets } from '#core/domain/counting/bucket.ts';
import { readers } from '#core/readers/readers.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { type Environment, cacheFolder } from '../settings.ts';
import { type IndexedLedger, LogIndex, type ScanSource } from './log-index.ts';
import type { Pace } from './read-log.ts';
import { type StampedLogs, findStampedLogs } from './stamp.ts';
import { ToolLogs, type ToolScan } from './tool-logs.ts';

export type { ScanSource } from './log-index.ts';

/** How often others are let in while logs are read, and are told how far it is. */
const PAUSE_MS = 100;

export interface ScanResult {
  buckets: Bucket[];
  sources: ScanSource[];
  /** What makes scans slow without making them wrong. */
  notes: string[];
}

export interface Scan extends ScanResult {
  logs: readonly StampedLogs[];
}

export interface ScanLedger extends IndexedLedger {
  /** Takes what logs say, before the index counts it as known. */
  take(scans: readonly ToolScan[]): Promise<void>;
}

interface ScanOptions {
  /** The folder of the index; null to keep none. */
  index?: string | null;
  /** The ledger that is fed; what the index holds is then good only if this ledger has it. */
  ledger?: ScanLedger | null;
  progress?: (text: string) => void;
}

/** Reads the logs of all tools. What cannot be read is told in its source and never stops the scan. */
export async function scanLogs(
  env: Environment,
  { index = join(cacheFolder(env), 'logs'), ledger = null, progress }: ScanOptions = {},
): Promise<Scan> {
  const kept = index === null ? null : new LogIndex(index, ledger);
  const found = readers.map((reader) => findStampedLogs(reader, env));
  const known = new Map(found.map((logs) => [logs, kept?.sums(logs) ?? null]));
  const changed = found.filter((logs) => known.get(logs) === null);
  const tools = changed.map((logs) => new ToolLogs(logs, kept));
  for (const scan of await scanTools(tools, ledger, progress)) known.set(scan.logs, scan);
  const sums = [...known.values()].filter((sum) => sum !== null);
  return {
    buckets: sortBuckets(sums.flatMap(({ buckets }) => buckets)),
    sources: sums.map(({ source }) => source),
    notes: kept?.notes ?? [],
    logs: found,
  };
}

async function scanTools(
  tools: readonly ToolLogs[],
  ledger: ScanLedger | null,
  progress: ScanOptions['progress'],
): Promise<ToolScan[]> {
  const bytes = tools.reduce((sum, tool) => sum + tool.bytes, 0);
  const pace = paceOf(bytes, progress);
  for (const tool of tools) await tool.read(pace);
  const scans = tools.map((tool) => tool.sumUp());
  // The ledger comes first: what the index holds is not handed to it again.
  const news = scans.filter((_, at) => tools[at]?.areNone === false);
  if (news.length > 0) await ledger?.take(news);
  for (const [at, scan] of scans.entries()) tools[at]?.keep(scan);
  return scans;
}

/** Counts bytes, and yields to the event loop ten times a second. */
function paceOf(bytes: number, progress: ScanOptions['progress']): Pace {
  let pausedMs = performance.now();
  let read = 0;
  return (more) => {
    read += more;
    if (performance.now() - pausedMs < PAUSE_MS) return undefined;
    const percent = Math.min(100, Math.round((100 * read) / Math.max(1, bytes)));
    progress?.(`reading logs: ${percent} % of ${Math.ceil(bytes / (1 << 20))} MB`);
    return setImmediate().then(() => void (pausedMs = performance.now()));
  };
}
