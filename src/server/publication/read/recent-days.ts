/** Cached sums of an account's daily counts, which pages and the API read repeatedly. */
import type { BoardSlice } from '#core/domain/board/board.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { DayCounts } from '#core/domain/metrics/day-series.ts';
import type { AppContext } from '#server/context.ts';
import {
  type AccountSum,
  EVER,
  type Steps,
  type Summed,
  accountSum,
  eachPart,
} from '#server/counting/bucket-turns.ts';
import { changeKey } from '#server/operator/operator.ts';
import { RecentMemo } from '#server/process/recent-memo.ts';
import { atOnce } from '#core/domain/text/steps.ts';
import { runYielding } from '#server/process/yield-to-event-loop.ts';

type Stored = Pick<AppContext, 'store'>;
type Store = AppContext['store'];
type Part = Parameters<Store['records']['signedUsage']>[0];
type Stretch = Parameters<Store['records']['perSubmission']>[0];
type Days = Pick<Part, 'from' | 'to'>;

/** The most sums of each kind that are cached. */
const MAX_KEPT = 200;
/** The most stretches that are cached for an account. */
const MAX_STRETCHES = 4;
const days = new RecentMemo<Store, readonly DayCounts[]>(MAX_KEPT);
const totals = new RecentMemo<Store, number>(MAX_KEPT);
const submissions = new RecentMemo<Store, Counted[]>(MAX_KEPT);

/** How many daily counts of each submission in a stretch count, by log index. */
interface Counted {
  stretch: Stretch;
  counts: ReadonlyMap<number, number>;
}

/** An operator's signed days that count: sums of daily counts that report the same token types, by day. */
export function signedDays({ store }: Stored, operator: Summed, { from, to }: Days) {
  const kept = { memo: days, owner: store, name: `${from} ${to}` };
  return accountSum({ store }, operator, kept, function* () {
    const found: DayCounts[] = [];
    yield* eachPart(store, operator, { from, to }, (part) => {
      found.push(...store.records.signedUsage(part).map(withDayNumber));
    });
    return found;
  });
}

/** The same for a board's slice, over all days. */
export function sliceDays({ store }: Stored, operator: Summed, { tool, trust }: BoardSlice) {
  const kept = { memo: days, owner: store, name: JSON.stringify([tool, trust]) };
  return accountSum({ store }, operator, kept, function* () {
    const found: DayCounts[] = [];
    yield* eachPart(store, operator, EVER, (part) => {
      found.push(...store.records.usage({ ...part, tool, trust }).map(withDayNumber));
    });
    return found;
  });
}

export function countingTotal({ store }: Stored, operator: Summed): AccountSum<number> {
  return accountSum({ store }, operator, { memo: totals, owner: store }, function* () {
    let total = 0;
    yield* eachPart(store, operator, EVER, (part) => {
      total += store.records.countIn(part);
    });
    return total;
  });
}

/**
 * How many daily counts of each submission in a stretch of the log count, by log index. Cached for the whole stretch.
 */
export function countingIn({ store }: Stored, stretch: Stretch): AccountSum<Counted['counts']> {
  const operator = store.operators.byId(stretch.operator_id);
  if (!operator) return { read: () => new Map(), ready: () => Promise.resolve() };
  const known = submissions.read(store, changeKey(operator), () => []);
  const counts = () => known.find((one) => covers(one.stretch, stretch))?.counts;
  const keep = (found: Counted['counts']) => {
    known.unshift({ stretch, counts: found });
    known.splice(MAX_STRETCHES);
    return found;
  };
  const count = () => countSubmissions(store, stretch);
  return {
    read: () => counts() ?? keep(atOnce(count())),
    async ready() {
      if (!counts()) keep(await runYielding(count()));
    },
  };
}

function* countSubmissions(store: Store, stretch: Stretch): Steps<Counted['counts']> {
  const sums = new Map<number, number>();
  yield* eachPart(store, { id: stretch.operator_id }, stretch, (part) => {
    for (const [at, count] of store.records.perSubmission({ ...stretch, ...part })) {
      sums.set(at, (sums.get(at) ?? 0) + count);
    }
  });
  return sums;
}

function covers(wide: Stretch, { from, to, first, last }: Stretch): boolean {
  return wide.from <= from && wide.to >= to && wide.first <= first && wide.last >= last;
}

function withDayNumber<Row extends { day: string }>(row: Row) {
  return { ...row, day: dayNumber(row.day) };
}
