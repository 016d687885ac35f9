/** The arithmetic of what was carried over: what somebody stated that no response accounts for. */
import { bucketKey, totalOf } from '#core/domain/counting/bucket.ts';
import type { Bucket, Pillars } from '#core/schema/usage.ts';

/** What a board has that no response of the ledger accounts for. */
export interface Carried extends Bucket {
  /** The board that stated it; null for what the ledger itself had counted. */
  board: string | null;
  untilMs: number;
  /** The part that was missing when it was carried over; what logs tell later lessens it. */
  missing: Pillars;
  /** The responses up to `untilMs`. */
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
export function stillMissing({ missing, accounted, ...stated }: Carried): Pillars | null {
  const now = lacking(stated, accounted);
  return now && lesser(missing, now);
}

/** What is stated and not accounted for; null if that is nothing. */
export function lacking(stated: Pillars, accounted: Pillars): Pillars | null {
  const part = {
    input: Math.max(0, stated.input - accounted.input),
    output: Math.max(0, stated.output - accounted.output),
    cache_write: less(stated.cache_write, accounted.cache_write),
    cache_read: less(stated.cache_read, accounted.cache_read),
  };
  return totalOf(stated) > totalOf(accounted) ? part : null;
}

function less(stated: number | null, accounted: number | null): number | null {
  return stated === null ? null : Math.max(0, stated - (accounted ?? 0));
}

function lesser(a: Pillars, b: Pillars): Pillars {
  return merged(a, b, Math.min);
}

export function larger(a: Pillars, b: Pillars): Pillars {
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
