/** The summary of the ledger: daily counts, carried-over counts, and the files with responses. */
import { randomUUID } from 'node:crypto';
import { dayName } from '#core/domain/counting/day.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { EXIT, Failure } from '../failure.ts';
import type { CountedLogs } from './types.ts';
import type { Carried } from './carried.ts';
import { type LedgerFiles, type ShardName, SUMMARY } from './ledger-files.ts';

/**
 * A daily count: day number, index of provider and model, number of responses, time of the last one, and the four token
 * types.
 */
export type DayCount = [
  day: number,
  source: number,
  responses: number,
  lastMs: number,
  input: number,
  output: number,
  cache_write: number | null,
  cache_read: number | null,
];

export interface Month {
  /** The file with the responses; null until it is written. */
  file: string | null;
  responses: number;
  sources: [provider: string, model: string][];
  days: DayCount[];
}

export interface ToolSummary {
  rules: number | null;
  /** The logs that were counted; null if unknown. */
  logs: CountedLogs | null;
  /** The first day with complete logs at the last scan; null if unknown. */
  whole_from: string | null;
  months: Record<string, Month>;
}

export interface Summary {
  id: string;
  run: number;
  tools: Record<string, ToolSummary>;
  carried: Carried[];
  /** The devices, with their boards, whose sent counts were carried over from an earlier version. */
  adopted: string[];
}

function emptySummary(): Summary {
  return { id: randomUUID(), run: 0, tools: {}, carried: [], adopted: [] };
}

export function monthsIn({ tools }: Summary): Month[] {
  return Object.values(tools).flatMap(({ months }) => Object.values(months));
}

/** The part of a tool, which is created if there is none. */
export function toolOf(summary: Summary, tool: string): ToolSummary {
  return (summary.tools[tool] ??= { rules: null, logs: null, whole_from: null, months: {} });
}

export function bucketsOf(
  tool: string,
  { sources, days }: Month,
): { bucket: Bucket; lastMs: number }[] {
  return days.map(([day, source, , lastMs, input, output, cache_write, cache_read]) => {
    const [provider = '', model = ''] = sources[source] ?? [];
    const counts = { input, output, cache_write, cache_read };
    return { bucket: { day: dayName(day), provider, model, tool, ...counts }, lastMs };
  });
}

export interface OpenedSummary {
  summary: Summary;
  /** The digest of the summary on disk; null if it is missing or unusable. */
  digest: string | null;
  /** Why the folder must not be changed, and nothing may be sent without it. */
  blocked: Failure | null;
  /** Damaged files, which must be set aside before anything is written. */
  damaged: string[];
  notes: string[];
}

/** Reads the summary, or rebuilds it from the shards. */
export function openSummary(files: LedgerFiles): OpenedSummary {
  try {
    const read = files.readSummary();
    if (read.state === 'newer') return blockedBy(newerFailure(files.folder));
    if (read.state === 'whole') {
      const { summary, digest } = read;
      return { summary, digest, blocked: null, damaged: [], notes: [] };
    }
    return rebuild(files, read.state);
  } catch (error) {
    if (error instanceof Failure) return blockedBy(error);
    throw error;
  }
}

function blockedBy(blocked: Failure): OpenedSummary {
  return { summary: emptySummary(), digest: null, blocked, damaged: [], notes: [] };
}

function newerFailure(folder: string): Failure {
  const message = `A newer version of opbench wrote the ledger in ${folder}`;
  return new Failure(EXIT.usage, message, 'Run: opbench update');
}

function rebuild(files: LedgerFiles, state: 'absent' | 'damaged'): OpenedSummary {
  const opened: OpenedSummary = {
    summary: emptySummary(),
    digest: null,
    blocked: null,
    damaged: state === 'damaged' ? [SUMMARY] : [],
    notes: [],
  };
  const newestFirst = files.shards().sort((a, b) => b.run - a.run);
  for (const shard of newestFirst) {
    if (!take(files, shard, opened)) return blockedBy(newerFailure(files.folder));
  }
  if (newestFirst.length === 0 && state === 'absent') return opened;
  const what = state === 'damaged' ? 'was damaged' : 'was missing';
  opened.notes.push(`The summary of the ledger ${what}. It was restored from the other files.`);
  return opened;
}

/** Adds a shard, unless a newer one of its month was added. Returns false if a newer version wrote it. */
function take(files: LedgerFiles, { file, tool, month, run }: ShardName, opened: OpenedSummary) {
  const { summary, damaged } = opened;
  summary.run = Math.max(summary.run, run);
  const part = toolOf(summary, tool);
  if (part.months[month]) return true;
  const read = files.readShard(file);
  if (read === 'newer') return false;
  if (typeof read === 'string') {
    damaged.push(file);
    return true;
  }
  part.months[month] = { ...read.shard.month(), file };
  part.rules = Math.min(part.rules ?? Number.POSITIVE_INFINITY, read.rules ?? 0);
  return true;
}
