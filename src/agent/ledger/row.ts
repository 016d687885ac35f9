/** One response of the ledger, and which of two versions of it is used. */
import { isSameUse, totalOf } from '#core/domain/counting/bucket.ts';
import { DAY_MS, utcDay } from '#core/domain/counting/day.ts';
import type { LoggedResponse, Pillars } from '#core/schema/usage.ts';
import { sha256 } from '../state/sha256.ts';

export interface Row extends Pillars {
  name: string;
  /** The time, in milliseconds since the epoch. */
  at: number;
  provider: string;
  model: string;
  run: number;
}

const NAME_BYTES = 8;

/** The name of a response: the first 8 bytes of the SHA-256 of tool, LF, key. */
export function nameOf(tool: string, key: string): string {
  return sha256(`${tool}\n${key}`).toString('base64url', 0, NAME_BYTES);
}

/** The responses of a sighting by name. If one appears twice, the fuller version is used. */
export function rowsByName(tool: string, responses: readonly LoggedResponse[]): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const response of responses) {
    const { key, timestampMs, provider, model, input, output, cache_write, cache_read } = response;
    const name = nameOf(tool, key);
    const counts = { input, output, cache_write, cache_read };
    const row = { name, at: timestampMs, provider, model, ...counts, run: 0 };
    const before = rows.get(name);
    rows.set(name, before ? fuller(before, row) : row);
  }
  return rows;
}

/** The fuller of two versions of a response, with the earlier time. Returns `kept` itself if it is unchanged. */
export function fuller(kept: Row, told: Row): Row {
  const at = Math.min(kept.at, told.at);
  const more = totalOf(told) - totalOf(kept);
  // For versions with the same total, the reader's choice is used.
  const isOther = more === 0 && !isAlike({ ...told, at: kept.at }, kept);
  if (more > 0 || isOther) return { ...told, at, run: kept.run };
  return at < kept.at ? { ...kept, at } : kept;
}

export function dayOf({ at }: Pick<Row, 'at'>): string {
  return utcDay(at);
}

/** The UTC month of a time, for example `2026-03`. */
export function monthOf({ at }: Pick<Row, 'at'>): string {
  return utcDay(at).slice(0, -3);
}

/** How far apart two versions of a response may be to be recognized without reading all months. */
const NEAR_MS = 2 * DAY_MS;
const LAST_MS = 8.64e15;

export function monthsNear({ at }: Pick<Row, 'at'>): string[] {
  const before = monthOf({ at: Math.max(at - NEAR_MS, -LAST_MS) });
  const after = monthOf({ at: Math.min(at + NEAR_MS, LAST_MS) });
  return [before, monthOf({ at }), after];
}

export function isAlike(a: Row, b: Row): boolean {
  return a.at === b.at && isSameUse(a, b);
}
