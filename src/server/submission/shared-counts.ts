/** Counts that several devices of an account reported, and that count once. */
import { bucketKey, totalOf } from '#core/domain/counting/bucket.ts';
import { type CountedBucket, dayAndTool, sameDevices } from '#core/domain/counting/counting.ts';
import type { SharedDays } from '#core/schema/my-standing.ts';
import type { AppContext } from '../context.ts';
import {
  type AccountSum,
  accountSum,
  eachPart,
  EVER,
  type Steps,
  type Summed,
} from '../counting/bucket-turns.ts';
import { operatorHere } from '../operator/operator.ts';
import { RecentMemo } from '../process/recent-memo.ts';

type Stored = Pick<AppContext, 'store'>;
type Store = AppContext['store'];
type SharedCount = ReturnType<Store['counts']['shared']>[number];
type DaySpan = Parameters<Store['counts']['shared']>[0];
type SubmissionRow = NonNullable<ReturnType<Store['submissions']['byId']>>;
/** The submission to look up. */
type AskedSubmission = Pick<
  SubmissionRow,
  'device_id' | 'first_day' | 'keyid' | 'last_day' | 'log_index' | 'operator_id'
>;

/** A record of a submission that other devices reported too. */
export interface SharedRecord {
  day: string;
  /** The tokens that count once although several devices reported them. */
  tokens: number;
  /** Whether only part of the record is shared, so that the total of its day is an estimate. */
  isPart: boolean;
  devices: Set<number>;
}

/** How many sums of each kind are cached. */
const MAX_KEPT = 200;
const accounts = new RecentMemo<Store, SharedDays>(MAX_KEPT);
const submissions = new RecentMemo<Store, readonly SharedRecord[]>(MAX_KEPT);

/** How many of an operator's counts several devices reported. */
export function sharedDays({ store }: Stored, operator: Summed): AccountSum<SharedDays> {
  const kept = { memo: accounts, owner: store };
  return accountSum({ store }, operator, kept, () => addUp(store, operator));
}

/** The records of a submission that other devices of its operator reported too. */
export function sharedRecords(
  { store }: Stored,
  asked: AskedSubmission,
): AccountSum<readonly SharedRecord[]> {
  const { operator_id, log_index } = asked;
  const operator = store.operators.byId(operator_id) ?? { id: operator_id, log_index: 0 };
  const kept = { memo: submissions, owner: store, name: String(log_index) };
  return accountSum({ store }, operator, kept, () => findShared(store, asked));
}

function* addUp(store: Store, { id }: Summed): Steps<SharedDays> {
  const found = yield* sharedIn(store, { operator_id: id, ...EVER });
  const tokens = found.reduce((sum, count) => sum + count.tokens, 0);
  const in_part = found.filter((count) => count.in_part === 1).length;
  const days = new Set(found.map(({ day }) => day)).size;
  return { records: found.length, tokens, in_part, days };
}

/** Finds records that count on another device, and records that another device's counts are merged into. */
function* findShared(store: Store, asked: AskedSubmission): Steps<readonly SharedRecord[]> {
  if (asked.keyid === null) return [];
  const { operator_id, first_day: from, last_day: to } = asked;
  const found = yield* sharedIn(store, { operator_id, from, to });
  const records: SharedRecord[] = [];
  for (const [first] of Map.groupBy(found, dayAndTool).values()) {
    if (first === undefined) continue;
    const { day, tool } = first;
    records.push(...sharedOfDay(store.buckets.group({ operator_id, day, tool }), asked));
    yield;
  }
  return records;
}

/** The shared records of a submission among all counts of a day and tool. */
function sharedOfDay(
  standing: readonly CountedBucket[],
  { device_id, log_index }: AskedSubmission,
): Iterable<SharedRecord> {
  const same = sameDevices(standing);
  const own = new Set(standing.filter((one) => one.log_index === log_index).map(bucketKey));
  const records = new Map<string, SharedRecord>();
  for (const bucket of standing) {
    const key = bucketKey(bucket);
    const other = same.get(bucket);
    if (other === undefined || !own.has(key)) continue;
    const isOwn = bucket.device_id === device_id;
    if (!isOwn && other !== device_id) continue;
    const none = { tokens: 0, isPart: false, devices: new Set<number>() };
    const { tokens, isPart, devices } = records.get(key) ?? none;
    const uncounted = totalOf(bucket) - totalOf(bucket.counted);
    devices.add(isOwn ? other : bucket.device_id);
    records.set(key, {
      day: bucket.day,
      tokens: Math.max(tokens, uncounted),
      isPart: isPart || uncounted < totalOf(bucket),
      devices,
    });
  }
  return records.values();
}

/** The daily counts in a span of days that do not count in full, found in parts. */
function* sharedIn(store: Store, { operator_id: id, ...days }: DaySpan): Steps<SharedCount[]> {
  const found: SharedCount[] = [];
  yield* eachPart(store, { id }, days, (part) => found.push(...store.counts.shared(part)));
  return found;
}

/**
 * The days of a submission that other devices sent too, newest first, with the names of these devices, for its owner.
 *
 * @param cookieHeader The `Cookie` header of the request.
 * @returns Null unless the owner is signed in.
 */
export async function findOwnShared(ctx: AppContext, cookieHeader: string | null, id: string) {
  const operator = await operatorHere(ctx, cookieHeader);
  const row = operator && ctx.store.submissions.byId(id);
  if (!row || row.operator_id !== operator.id) return null;
  const shared = sharedRecords(ctx, row);
  await shared.ready();
  const byDay = Map.groupBy(shared.read(), (record) => record.day);
  const days = Array.from(byDay, ([day, records]) => {
    const ids = new Set(records.flatMap(({ devices }) => [...devices]));
    const labels = Array.from(ids, (device) => ctx.store.devices.byId(device)?.label ?? '');
    const tokens = records.reduce((sum, record) => sum + record.tokens, 0);
    return { day, tokens, devices: labels.sort() };
  });
  return days.sort((a, b) => (a.day < b.day ? 1 : -1));
}
