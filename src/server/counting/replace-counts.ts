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
  /** All counts of these days before the change, if they are known. */
  days?: readonly CountedBucket[] | null;
  /** When the board received it, as the log says. */
  received_at: string;
  /** Whether the operator corrected or withdrew counts. */
  isOwnCorrection?: boolean;
}

/** Call it inside the transaction of the change. */
export function replaceCounts(board: Pick<AppContext, 'store'>, change: CountsChange): void {
  const { operator_id, before, after } = change;
  rememberDays(board, change, addedTokens(before, after));
  board.store.buckets.replaceGroups(operator_id, before, after);
}

function rememberDays(
  { store: { changedDays } }: Pick<AppContext, 'store'>,
  { operator_id, days, received_at, isOwnCorrection = false }: CountsChange,
  added: readonly [day: string, more: number][],
): void {
  const [first, last] = [added[0], added.at(-1)];
  if (!first || !last) return;
  const span = { operator_id, from: first[0], to: last[0] };
  const known = changedDays.between(span);
  const today = Math.floor(Date.parse(received_at) / DAY_MS);
  const changes = added.map(([name, more]) => {
    const day = dayNumber(name);
    return { day, more, isInTime: today <= day + 1, known: known.get(day) ?? null };
  });
  // Most changes leave nothing to remember.
  const others = changes.filter(({ known, isInTime, more }) => known || !isInTime || more < 0);
  if (others.length === 0) return;
  const counted = days ? signedTokens(days) : changedDays.tokensBetween(span);
  for (const { day, more, isInTime, known } of others) {
    const tokens = counted.get(day) ?? 0;
    const change = { before: tokens, after: tokens + more, isInTime, isOwnCorrection };
    const changed = afterChange(known, change);
    if (changed) changedDays.put({ operator_id, day, ...changed });
  }
}

function signedTokens(days: readonly CountedBucket[]): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { day, trust, counted } of days) {
    const number = dayNumber(day);
    if (trust === 'signed') sums.set(number, (sums.get(number) ?? 0) + totalOf(counted));
  }
  return sums;
}

/** By how much the signed tokens of each day change, by day, without days that do not. */
function addedTokens(before: readonly CountedBucket[], after: readonly CountedBucket[]) {
  const sums = new Map<string, number>();
  const add = (counts: readonly CountedBucket[], sign: number) => {
    for (const { day, trust, counted } of counts) {
      if (trust === 'signed') sums.set(day, (sums.get(day) ?? 0) + sign * totalOf(counted));
    }
  };
  add(after, 1);
  add(before, -1);
  const changed = [...sums].filter(([, more]) => more !== 0);
  return changed.sort(([a], [b]) => (a < b ? -1 : 1));
}
