/**
 * Sums over an account's buckets that pages and reads ask for again and again. A large account has 100,000 buckets,
 * which take up to 200 ms to add up, so the sums are kept until something changes that counts for the account.
 * Functions that begin with `addUp` make them in turns of the event loop, before something reads them at once.
 */
import type { BoardSlice } from '#core/domain/board/board.ts';
import { dayNumber } from '#core/domain/counting/day.ts';
import type { DayCounts } from '#core/domain/metrics/day-series.ts';
import type { AppContext } from '#server/context.ts';
import { changeKey } from '#server/operator/operator.ts';
import { RecentMemo } from '#server/process/recent-memo.ts';
import { EVER, type Summed, eachPart } from '#server/counting/bucket-turns.ts';

type Stored = Pick<AppContext, 'store'>;
type Store = AppContext['store'];
type Part = Parameters<Store['records']['signedUsage']>[0];
type Stretch = Parameters<Store['records']['perSubmission']>[0];
type Days = Pick<Part, 'from' | 'to'>;

/** So many sums of each kind are kept. */
const MAX_KEPT = 200;
/** So many stretches are kept of an account. */
const MAX_STRETCHES = 4;
const days = new RecentMemo<Store, readonly DayCounts[]>(MAX_KEPT);
const totals = new RecentMemo<Store, number>(MAX_KEPT);
const submissions = new RecentMemo<Store, Counted[]>(MAX_KEPT);

/** How many buckets count of each submission in a stretch, by its place in the log. */
interface Counted {
  stretch: Stretch;
  counts: ReadonlyMap<number, number>;
}

/** What counts of an operator's days and was signed: sums of buckets that report the same pillars, by day. */
export function signedDays({ store }: Stored, operator: Summed, span: Days): readonly DayCounts[] {
  return days.read(store, daysKey(operator, span), () =>
    signedIn(store, { operator_id: operator.id, ...span }),
  );
}

/** Makes what {@linkcode signedDays} reads. */
export async function addUpDays({ store }: Stored, operator: Summed, span: Days): Promise<void> {
  const key = daysKey(operator, span);
  if (days.has(store, key)) return;
  const found: DayCounts[] = [];
  const isOne = await eachPart(store, operator, span, (part) => {
    found.push(...signedIn(store, part));
  });
  if (isOne) days.read(store, key, () => found);
}

/** The same of a board's slice and all days. */
export function sliceDays({ store }: Stored, operator: Summed, slice: BoardSlice) {
  return days.read(store, sliceKey(operator, slice), () =>
    usageIn(store, { operator_id: operator.id, ...EVER }, slice),
  );
}

/** Makes what {@linkcode sliceDays} reads. */
export async function addUpSlice(
  { store }: Stored,
  operator: Summed,
  slice: BoardSlice,
): Promise<void> {
  const key = sliceKey(operator, slice);
  if (days.has(store, key)) return;
  const found: DayCounts[] = [];
  const isOne = await eachPart(store, operator, EVER, (part) => {
    found.push(...usageIn(store, part, slice));
  });
  if (isOne) days.read(store, key, () => found);
}

/** How many buckets count. */
export function countingTotal({ store }: Stored, operator: Summed): number {
  return totals.read(store, changeKey(operator), () => store.records.total(operator.id));
}

/** Makes what {@linkcode countingTotal} reads. */
export async function addUpTotal({ store }: Stored, operator: Summed): Promise<void> {
  if (totals.has(store, changeKey(operator))) return;
  let total = 0;
  const isOne = await eachPart(store, operator, EVER, (part) => {
    total += store.records.countIn(part);
  });
  if (isOne) totals.read(store, changeKey(operator), () => total);
}

/** How many buckets count of each submission in a stretch of the log, by its place there. */
export function countingIn({ store }: Stored, stretch: Stretch): ReadonlyMap<number, number> {
  const operator = store.operators.byId(stretch.operator_id);
  if (!operator) return new Map();
  const known = submissions.read(store, changeKey(operator), () => []);
  const wider = known.find((one) => covers(one.stretch, stretch));
  return wider?.counts ?? keep(known, stretch, store.records.perSubmission(stretch));
}

/** Makes what {@linkcode countingIn} reads, of this stretch and all within it. */
export async function addUpSubmissions({ store }: Stored, stretch: Stretch): Promise<void> {
  const operator = store.operators.byId(stretch.operator_id);
  if (!operator) return;
  const known = submissions.read(store, changeKey(operator), () => []);
  if (known.some((one) => covers(one.stretch, stretch))) return;
  const sums = new Map<number, number>();
  const isOne = await eachPart(store, operator, stretch, (part) => {
    for (const [at, count] of store.records.perSubmission({ ...stretch, ...part })) {
      sums.set(at, (sums.get(at) ?? 0) + count);
    }
  });
  if (isOne) keep(known, stretch, sums);
}

function keep(known: Counted[], stretch: Stretch, counts: Counted['counts']): Counted['counts'] {
  known.unshift({ stretch, counts });
  known.splice(MAX_STRETCHES);
  return counts;
}

function covers(wide: Stretch, { from, to, first, last }: Stretch): boolean {
  return wide.from <= from && wide.to >= to && wide.first <= first && wide.last >= last;
}

function signedIn({ records }: Store, part: Part): DayCounts[] {
  return records.signedUsage(part).map((counts) => ({ ...counts, day: dayNumber(counts.day) }));
}

function usageIn({ records }: Store, part: Part, slice: BoardSlice): DayCounts[] {
  const usage = records.usage({ ...part, ...slice });
  return usage.map((counts) => ({ ...counts, day: dayNumber(counts.day) }));
}

function daysKey(operator: Summed, { from, to }: Days): string {
  return JSON.stringify([changeKey(operator), from, to]);
}

function sliceKey(operator: Summed, { tool, trust }: BoardSlice): string {
  return JSON.stringify([changeKey(operator), tool, trust, 'slice']);
}
