/** Parts of a board's lists, without operators who may not be shown any more. */
import type { Among, PublishedOperators } from './published-operators.ts';

/** A part of a list: at most `limit` entries from place `from`, of all operators or only those in `among`. */
export interface Span {
  from: number;
  limit: number;
  among?: Among | undefined;
}

export interface BoardChunk<Entry> {
  entries: Entry[];
  /** The place at which the next part begins; null at the end. */
  next: number | null;
}

/** How many slots of a list may be shown. */
export function countAmong(
  slots: Uint32Array,
  operators: PublishedOperators,
  among: Among | undefined,
): number {
  if (among === undefined && operators.withheld === 0) return slots.length;
  return slots.reduce((count, slot) => count + (isAmong(slot, operators, among) ? 1 : 0), 0);
}

/** The places of a part, and the one at which the next part begins. */
export function placesIn(
  slots: Uint32Array,
  operators: PublishedOperators,
  { from, limit, among }: Span,
): { places: number[]; next: number | null } {
  const places: number[] = [];
  for (let place = from; place < slots.length; place += 1) {
    if (!isAmong(slots[place] as number, operators, among)) continue;
    if (places.length === limit) return { places, next: place };
    places.push(place);
  }
  return { places, next: null };
}

function isAmong(slot: number, operators: PublishedOperators, among: Among | undefined): boolean {
  return !operators.isWithheld(slot) && (among === undefined || among[slot] === 1);
}
