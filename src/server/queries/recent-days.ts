/**
 * Sums over an account's buckets that pages and reads ask for again and again. A large account has 100,000 buckets,
 * which take up to 100 ms to add up, so the sums are kept until something changes that counts for the account.
 */
import { dayNumber } from '#core/domain/day.ts';
import type { DayCounts } from '#core/domain/day-series.ts';
import type { AppContext } from '../context.ts';
import { type Operator, changeKey } from '../operator.ts';
import { RecentMemo } from '../recent-memo.ts';

type Store = AppContext['store'];
type Stretch = Parameters<Store['records']['perSubmission']>[0];

/** So many sums of each kind are kept. */
const MAX_KEPT = 200;
const days = new RecentMemo<Store, readonly DayCounts[]>(MAX_KEPT);
const submissions = new RecentMemo<Store, ReadonlyMap<number, number>>(MAX_KEPT);

/** What counts of an operator's days and was signed: the sums of buckets that report the same pillars, by day. */
export function signedDays(
  { store }: Pick<AppContext, 'store'>,
  operator: Pick<Operator, 'id' | 'log_index'>,
  span: { from: string; to: string },
): readonly DayCounts[] {
  const key = JSON.stringify([changeKey(operator), span.from, span.to]);
  return days.read(store, key, () =>
    store.records
      .signedUsage({ operator_id: operator.id, ...span })
      .map((counts) => ({ ...counts, day: dayNumber(counts.day) })),
  );
}

/** How many buckets count of each submission in a stretch of the log, by its place there. */
export function countingIn(
  { store }: Pick<AppContext, 'store'>,
  stretch: Stretch,
): ReadonlyMap<number, number> {
  const operator = store.operators.byId(stretch.operator_id);
  if (!operator) return new Map();
  const key = JSON.stringify([changeKey(operator), stretch]);
  return submissions.read(store, key, () => store.records.perSubmission(stretch));
}
