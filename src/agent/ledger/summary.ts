/** Opens the summary of the ledger, or rebuilds it from the files with responses. */
import { randomUUID } from 'node:crypto';
import { EXIT, Failure } from '../failure.ts';
import type { LedgerFiles, ShardName } from './ledger-files.ts';
import { type Month, SUMMARY, type Summary, type ToolSummary } from './summary-file.ts';

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
