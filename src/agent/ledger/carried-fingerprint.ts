/** What was carried over into one daily count, as fingerprints need it. */
import {
  fingerprintOf,
  formatFingerprint,
  parseFingerprint,
} from '#core/domain/counting/fingerprint.ts';
import type { Pillars } from '#core/schema/usage.ts';
import { type Carried, extras, lacking } from './carried.ts';

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
