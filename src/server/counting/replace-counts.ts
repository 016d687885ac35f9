/** Replaces what counts for an operator, and remembers days that changed late or became fewer. */
import { totalOf } from '#core/domain/counting/bucket.ts';
import { afterChange } from '#core/domain/counting/changed-day.ts';
import type { CountedBucket } from '#core/domain/counting/counting.ts';
import { DAY_MS, dayNumber } from '#core/domain/counting/day.ts';
import type { AppContext } from '../context.ts';

interface CountsChange {
  operator_id: number;
  /** Whole groups of the same day and tool, before and after. */
  before: readonly CountedBucket[];
  after: readonly CountedBucket[];
  /** When the board received it, as the log says. */
  received_at: string;
  /** Whether the operator corrected or withdrew counts. */
  isOwnCorrection?: boolean;
}

/** Call it inside the transaction of the change. */
export function replaceCounts(
  { store: { buckets, changedDays } }: Pick<AppContext, 'store'>,
  { operator_id, before, after, received_at, isOwnCorrection = false }: CountsChange,
): void {
  const today = Math.floor(Date.parse(received_at) / DAY_MS);
  for (const [name, more] of addedTokens(before, after)) {
    const of = { operator_id, day: dayNumber(name) };
    const isInTime = today <= of.day + 1;
    const known = changedDays.at(of) ?? null;
    // Most changes are of this kind, and leave nothing to remember.
    if (known === null && isInTime && more > 0) continue;
    const counted = changedDays.tokensOn(of);
    const change = { before: counted, after: counted + more, isInTime, isOwnCorrection };
    const changed = afterChange(known, change);
    if (changed) changedDays.put({ ...of, ...changed });
  }
  buckets.replaceGroups(operator_id, before, after);
}

/** By how much the signed tokens of each day change, without days that do not. */
function addedTokens(before: readonly CountedBucket[], after: readonly CountedBucket[]) {
  const sums = new Map<string, number>();
  const add = (counts: readonly CountedBucket[], sign: number) => {
    for (const { day, trust, counted } of counts) {
      if (trust === 'signed') sums.set(day, (sums.get(day) ?? 0) + sign * totalOf(counted));
    }
  };
  add(after, 1);
  add(before, -1);
  return [...sums].filter(([, more]) => more !== 0);
}
