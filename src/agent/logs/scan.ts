/** Reads all logs on this device: files in, daily buckets out. */
import { bucketUsage, sortBuckets, totalOf } from '#core/domain/bucket.ts';
import { readers } from '#core/readers/readers.ts';
import type { FileUsage, Reader } from '#core/readers/reader.ts';
import { MAX_COUNT } from '#core/schema/scalars.ts';
import type { Bucket, UsageEvent } from '#core/schema/usage.ts';
import { feedFile } from './bytes.ts';
import { findLogFiles, reasonFor } from './files.ts';
import { LineFinder } from './lines.ts';
import type { Environment } from '../settings.ts';

/** How the logs of one tool were read. */
export interface ScanSource {
  tool: string;
  /** The folders looked at, also those that are not there. */
  roots: string[];
  files: number;
  /** Responses, each counted once. */
  events: number;
  skipped_lines: number;
  /** Files and folders left out, with the reason. */
  unreadable: string[];
}

export interface ScanResult {
  buckets: Bucket[];
  sources: ScanSource[];
}

/** Reads the logs of all tools. What cannot be read is told in its source and never stops the scan. */
export async function scanLogs(env: Environment): Promise<ScanResult> {
  const buckets: Bucket[] = [];
  const sources: ScanSource[] = [];
  for (const reader of readers) {
    const scanned = await scanTool(reader, env);
    buckets.push(...scanned.buckets);
    sources.push(scanned.source);
  }
  return { buckets: sortBuckets(buckets), sources };
}

async function scanTool(reader: Reader, env: Environment) {
  const { roots, files, unreadable } = findLogFiles(reader.tool, env);
  const finder = new LineFinder(reader);
  const usages: FileUsage[] = [];
  for (const path of files) {
    try {
      usages.push(await readLog(reader, finder, path));
    } catch (error) {
      unreadable.push(reasonFor(path, error));
    }
  }
  const events = reader.merge(usages);
  const possible = withinCount(events);
  const broken = usages.reduce((sum, { skipped_lines }) => sum + skipped_lines, 0);
  const source = {
    tool: reader.tool,
    roots,
    files: files.length,
    events: possible.length,
    skipped_lines: broken + events.length - possible.length,
    unreadable,
  };
  return { buckets: bucketUsage(reader.tool, possible), source };
}

async function readLog(reader: Reader, finder: LineFinder, path: string): Promise<FileUsage> {
  const file = reader.open(path);
  finder.begin((text, shortened) => file.line(text, shortened));
  await feedFile(path, finder);
  return file.finish();
}

/** Leaves out the largest events where the sum of all is more than a count can be. */
function withinCount(events: UsageEvent[]): UsageEvent[] {
  let sum = 0;
  for (const event of events) sum += totalOf(event);
  if (sum <= MAX_COUNT) return events;
  const rising = [...events].sort((a, b) => totalOf(a) - totalOf(b));
  let kept = 0;
  return rising.filter((event) => (kept += totalOf(event)) <= MAX_COUNT);
}
