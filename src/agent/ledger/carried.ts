/** Computes carried-over counts: the parts of stated counts for which the ledger has no responses. */
import { bucketKey, joinPillars, totalOf } from '#core/domain/counting/bucket.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';
import {
  fingerprintOf,
  formatFingerprint,
  parseFingerprint,
} from '#core/domain/counting/fingerprint.ts';
import { groupBy } from '#core/domain/text/group.ts';
import { counted } from '../text/figures.ts';
import { type CountedLogs, rememberLogs, type Stated } from './types.ts';
import type { Summary } from './summary-file.ts';
import { lastGone } from './take.ts';

/** A count of a board for which the ledger has no, or not all, responses. */
export interface Carried extends Bucket {
  /** The board that has it; null for a count of the ledger itself. */
  board: string | null;
  untilMs: number;
  /** The part that was missing when it was carried over. Responses found later reduce it. */
  missing: Pillars;
  accounted: Pillars;
}

/** The carried-over part of each daily count, by its key. For several statements, the largest part. */
export function extras(carried: readonly Carried[]): Map<string, Carried & Pillars> {
  const parts = new Map<string, Carried & Pillars>();
  for (const item of carried) {
    const part = stillMissing(item);
    if (part === null) continue;
    const key = bucketKey(item);
    const before = parts.get(key);
    parts.set(key, { ...item, ...(before ? larger(before, part) : part) });
  }
  return parts;
}

/** The part that an item adds to earlier items of the same daily count; null if nothing. */
export function addedBy(item: Carried, before: readonly Carried[]): Pillars | null {
  const [part] = extras(before).values();
  return part ? lacking(larger(part, item.missing), part) : item.missing;
}

/** The part of a statement that is still missing; null if nothing is. */
function stillMissing({ missing, accounted, ...stated }: Carried): Pillars | null {
  const now = lacking(stated, accounted);
  return now && lesser(missing, now);
}

/** The stated counts minus the accounted ones; null if nothing is left. */
export function lacking(stated: Pillars, accounted: Pillars): Pillars | null {
  const left = (now: number, known: number) => Math.max(0, now - known);
  return totalOf(stated) > totalOf(accounted) ? joinPillars(stated, accounted, left) : null;
}

function lesser(a: Pillars, b: Pillars): Pillars {
  return merged(a, b, Math.min);
}

function larger(a: Pillars, b: Pillars): Pillars {
  return merged(a, b, Math.max);
}

function merged(a: Pillars, b: Pillars, choose: (a: number, b: number) => number): Pillars {
  const either = (one: number | null, other: number | null) => {
    return one === null || other === null ? (one ?? other) : choose(one, other);
  };
  return {
    input: choose(a.input, b.input),
    output: choose(a.output, b.output),
    cache_write: either(a.cache_write, b.cache_write),
    cache_read: either(a.cache_read, b.cache_read),
  };
}

/** Whether statements after a time add a part that is missing in the logs and in earlier statements. */
export function isCarried(items: readonly Carried[], sinceMs: number): boolean {
  const all = partOf(items);
  const before = partOf(items.filter(({ untilMs }) => untilMs <= sinceMs));
  return all !== null && (before === null || lacking(all, before) !== null);
}

/** The board's fingerprint of that part; null if it does not cover all of it. */
export function carriedFingerprint(
  items: readonly Carried[],
  board: string,
  sinceMs: number,
): string | null {
  const later = items.filter(({ untilMs }) => untilMs > sinceMs);
  const told = later.filter((item) => item.board === board && parseFingerprint(item.fingerprint));
  const [all, covered] = [partOf(later), partOf(told)];
  if (all === null || covered === null || lacking(all, covered) !== null) return null;
  const fingerprint = fingerprintOf(
    told.flatMap((item) => parseFingerprint(item.fingerprint) ?? []),
  );
  return fingerprint && formatFingerprint(fingerprint);
}

/** The part of one daily count that is still missing in the logs; null if nothing is. */
function partOf(items: readonly Carried[]): Pillars | null {
  const [part] = extras(items).values();
  return part ?? null;
}

export interface SentCounts {
  board: string;
  device_id: string;
  stated: readonly Stated[];
  rules: Readonly<Record<string, number>>;
  /** The logs that were counted, by tool; null if unknown. */
  logs: Readonly<Record<string, CountedLogs>> | null;
}

/**
 * The counts that may be missing from the logs. Days with complete logs are left to corrections if the counting rules
 * have changed.
 */
export function adoptable(summary: Summary, sent: SentCounts): Stated[] {
  const byTool = groupBy(sent.stated, ({ tool }) => tool);
  return [...byTool].flatMap(([tool, stated]) => {
    const from = correctedFrom(summary, sent, tool);
    return from === null ? stated : stated.filter(({ day }) => day <= from);
  });
}

/** The last day before which a tool's counts are not corrected; null if nothing is corrected. */
function correctedFrom({ tools, adopted }: Summary, sent: SentCounts, tool: string): string | null {
  const isAgain = adopted.includes(adoptedName(sent));
  const now = tools[tool];
  const before = sent.rules[tool];
  const isSame = before === undefined || now?.rules === before;
  if (isSame || !now?.logs) return null;
  const logs = sent.logs?.[tool] ?? (isAgain ? now.logs : null);
  return logs && lastGone(sinceThen(logs, now.logs), now.whole_from);
}

function sinceThen(before: CountedLogs, { logs }: CountedLogs): CountedLogs {
  return rememberLogs(before, { logs, isAll: true });
}

export function adoptedName({ board, device_id }: Pick<SentCounts, 'board' | 'device_id'>): string {
  return `${board}\n${device_id}`;
}

export function carriedNotes(board: string, added: readonly { day: string }[]): string[] {
  if (added.length === 0) return [];
  const days = added.map(({ day }) => day).sort();
  const span = `from ${days[0]} to ${days.at(-1)}`;
  const what = counted(added.length, 'daily count');
  return [`${what} ${span} on ${board} are no longer in the logs, so the ledger keeps them`];
}
