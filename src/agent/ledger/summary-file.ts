/**
 * The file with the summary of the ledger: daily counts, carried-over counts, and the files with responses. This module
 * must not import schemas or node:crypto, which take longer to load than a status line may take.
 *
 * @module
 */
import { join } from 'node:path';
import { dayName } from '#core/domain/counting/day.ts';
import type { Bucket } from '#core/schema/usage.ts';
import { readText } from '../state/atomic-file.ts';
import type { CountedLogs } from './types.ts';
import type { Carried } from './carried.ts';

/** The format of all files of the ledger. */
export const LEDGER_FORM = { name: 'opbench-ledger', version: 1 };

export const SUMMARY = 'summary.json';

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

/**
 * The summary without a check of its checksum, which is enough to show it; null if there is none of this format.
 *
 * @throws {Error} if it cannot be read, or is damaged.
 */
export function readUnchecked(folder: string): Summary | null {
  const text = readText(join(folder, SUMMARY)) ?? '';
  const { name, version } = LEDGER_FORM;
  if (!text.startsWith(`${name} ${version} `)) return null;
  return JSON.parse(text.slice(text.indexOf('\n'))) as Summary;
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
