/** Reads all logs on this device: files in, daily buckets out. */
import { join } from 'node:path';
import { sortBuckets } from '#core/domain/counting/bucket.ts';
import { readers } from '#core/readers/readers.ts';
import { type Environment, cacheFolder } from '../settings.ts';
import { LogIndex } from './log-index.ts';
import type { ScanLedger } from './scan-ledger.ts';
import { type ReadOptions, readLogs } from './read-logs.ts';
import type { Scan } from './scan-result.ts';
import { findStampedLogs } from './stamped-logs.ts';
import { ToolLogs } from './tool-logs.ts';

export type { Scan, ScanResult, ScanSource } from './scan-result.ts';

export interface ScanOptions extends ReadOptions {
  /** The folder of the index; null to keep none. */
  index?: string | null;
  /** The ledger that is fed; what the index holds is then good only if this ledger has it. */
  ledger?: ScanLedger | null;
}

/** Reads the logs of all tools. What cannot be read is told in its source and never stops the scan. */
export async function scanLogs(
  env: Environment,
  { index = join(cacheFolder(env), 'logs'), ledger = null, ...options }: ScanOptions = {},
): Promise<Scan> {
  const kept = index === null ? null : new LogIndex(index, ledger);
  const found = readers.map((reader) => findStampedLogs(reader, env));
  const known = new Map(found.map((logs) => [logs, kept?.sums(logs) ?? null]));
  const tools = found
    .filter((logs) => known.get(logs) === null)
    .map((logs) => new ToolLogs(logs, kept));
  await readTools(tools, options);
  for (const tool of tools) known.set(tool.logs, tool.sumUp());
  await keep(tools, ledger);
  const sums = [...known.values()].filter((sum) => sum !== null);
  return {
    buckets: sortBuckets(sums.flatMap(({ buckets }) => buckets)),
    sources: sums.map(({ source }) => source),
    notes: kept?.notes ?? [],
    logs: found,
  };
}

/** The ledger comes first: what the index holds is not handed to it again. */
async function keep(tools: readonly ToolLogs[], ledger: ScanLedger | null): Promise<void> {
  const told = tools.flatMap((tool) => tool.told() ?? []);
  if (told.length > 0) await ledger?.take(told);
  for (const tool of tools) tool.keep();
}

async function readTools(tools: readonly ToolLogs[], options: ReadOptions): Promise<void> {
  for (;;) {
    const tasks = tools.map((tool) => ({ tool, own: tool.next() }));
    const outcomes = await readLogs(
      tasks.flatMap(({ own }) => own),
      options,
    );
    if (outcomes.size === 0) return;
    for (const { tool, own } of tasks) {
      for (const task of own) {
        const outcome = outcomes.get(task);
        if (outcome) tool.take(task.path, outcome);
      }
    }
  }
}
