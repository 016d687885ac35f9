/** The arithmetic of what was carried over: what somebody stated that no response accounts for. */
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
import type { Summary } from './summary.ts';
import { lastGone } from './take.ts';

/** What a board has that no response of the ledger accounts for. */
export interface Carried extends Bucket {
  /** The board that stated it; null for what the ledger itself had counted. */
  board: string | null;
  untilMs: number;
  /** The part that was missing when it was carried over; what logs tell later lessens it. */
  missing: Pillars;
  accounted: Pillars;
}

/** What carries over into each daily count, by its key: of several statements the largest part. */
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

/** What an item adds to those of the same daily count that were carried over before it; null if nothing. */
export function addedBy(item: Carried, before: readonly Carried[]): Pillars | null {
  const [part] = extras(before).values();
  return part ? lacking(larger(part, item.missing), part) : item.missing;
}

/** The part of a statement that is missing as of now; null if nothing is. */
function stillMissing({ missing, accounted, ...stated }: Carried): Pillars | null {
  const now = lacking(stated, accounted);
  return now && lesser(missing, now);
}

/** What is stated and not accounted for; null if that is nothing. */
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

/** Whether a part that was stated after an instant is missing in the logs, and no earlier one holds it. */
export function isCarried(items: readonly Carried[], sinceMs: number): boolean {
  const all = partOf(items);
  const before = partOf(items.filter(({ untilMs }) => untilMs <= sinceMs));
  return all !== null && (before === null || lacking(all, before) !== null);
}

/** The fingerprint by which a board knows that part; null if it does not cover all of it. */
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

/** What of items of one daily count is still missing in the logs; null if nothing is. */
function partOf(items: readonly Carried[]): Pillars | null {
  const [part] = extras(items).values();
  return part ?? null;
}

export interface SentCounts {
  board: string;
  device_id: string;
  stated: readonly Stated[];
  rules: Readonly<Record<string, number>>;
  /** The logs that were counted, by tool; null if that is not known. */
  logs: Readonly<Record<string, CountedLogs>> | null;
}

/**
 * The counts that may be missing from the logs. Days from which no log is gone are left to corrections
 * if other rules count them now.
 */
export function adoptable(summary: Summary, sent: SentCounts): Stated[] {
  const byTool = groupBy(sent.stated, ({ tool }) => tool);
  return [...byTool].flatMap(([tool, stated]) => {
    const from = correctedFrom(summary, sent, tool);
    return from === null ? stated : stated.filter(({ day }) => day <= from);
  });
}

/** The day after which other rules correct a tool's counts; null if nothing is corrected. */
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
  return [`${what} ${span} on ${board} are no longer in the logs; the ledger keeps them`];
}
