/** What the ledger knows without its responses: daily counts, what was carried over, and which files hold the rest. */
import { randomUUID } from 'node:crypto';
import { dayName } from '#core/domain/counting/day.ts';
import type { Bucket } from '#core/schema/usage.ts';
import type { CountedLogs } from '../state/remember-logs.ts';
import type { Carried } from './carried.ts';

/**
 * A daily count: number of the day, place of provider and model, responses, the instant of the last
 * one, and the four pillars.
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
  /** The file that holds them; null until it is written. */
  file: string | null;
  responses: number;
  sources: [provider: string, model: string][];
  days: DayCount[];
}

export interface ToolSummary {
  rules: number | null;
  /** The logs that were seen; null if that is not known. */
  logs: CountedLogs | null;
  /** The first day from which no log was missing when they were last read; null if unknown. */
  whole_from: string | null;
  months: Record<string, Month>;
}

export interface Summary {
  id: string;
  run: number;
  tools: Record<string, ToolSummary>;
  carried: Carried[];
  /** The devices, with their boards, whose counts of earlier versions were carried over. */
  adopted: string[];
}

export function emptySummary(): Summary {
  return { id: randomUUID(), run: 0, tools: {}, carried: [], adopted: [] };
}

/** The part of a tool, made if there is none. */
export function toolOf(summary: Summary, tool: string): ToolSummary {
  return (summary.tools[tool] ??= { rules: null, logs: null, whole_from: null, months: {} });
}

/** The daily counts of a month, each with the instant of its last response. */
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
