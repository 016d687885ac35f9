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
  const added = signedTokens(after);
  for (const [day, tokens] of signedTokens(before)) added.set(day, (added.get(day) ?? 0) - tokens);
  for (const [day, more] of added) {
    const number = dayNumber(day);
    const isInTime = today <= number + 1;
    const known = changedDays.at({ operator_id, day: number }) ?? null;
    if (more === 0 || (known === null && isInTime && more > 0)) continue;
    const counted = changedDays.tokensOn({ operator_id, day: number });
    const change = { before: counted, after: counted + more, isInTime, isOwnCorrection };
    const changed = afterChange(known, change);
    if (changed) changedDays.put({ operator_id, day: number, ...changed });
  }
  buckets.replaceGroups(operator_id, before, after);
}

/** The signed tokens that count, by day. */
function signedTokens(counts: readonly CountedBucket[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { day, trust, counted } of counts) {
    if (trust === 'signed') sums.set(day, (sums.get(day) ?? 0) + totalOf(counted));
  }
  return sums;
}
