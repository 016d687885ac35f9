import type { AppContext } from '../context.ts';
import { type Operator, changeKey } from '../operator/operator.ts';
import type { RecentMemo } from '../process/recent-memo.ts';
import { runAtOnce, runYielding } from '../process/yield-to-event-loop.ts';

type Store = AppContext['store'];
type Part = Parameters<Store['records']['signedUsage']>[0];
/** What sums are kept by: the account, and what counts of it. */
export type Summed = Pick<Operator, 'id' | 'log_index'>;

/** Work in steps of a few milliseconds. */
export type Steps<Result> = Generator<void, Result>;

/** Buckets of the longest names take 4 us each to find and to add up, and 13 us to read with their names. */
const SUMMED = 2_000;
/** So many are read in a step where their names are. */
export const NAMED = 1_000;
export const EVER = { from: '', to: '9999-12-31' };

/**
 * Visits an account's buckets part by part.
 *
 * @param size How many buckets a part holds.
 */
export function* eachPart(
  store: Store,
  { id }: Pick<Operator, 'id'>,
  { from, to }: { from: string; to: string },
  visit: (part: Part) => void,
  size = SUMMED,
): Steps<void> {
  const span = { operator_id: id, from, to };
  let after: Part['after'] = null;
  do {
    if (after) yield;
    const until = store.records.partEnd({ ...span, after }, size);
    visit({ ...span, after, until });
    after = until;
  } while (after);
}

/** Something made of an account's buckets, which is kept until something changes that counts for the account. */
export interface AccountSum<Value> {
  /** The value; made at once if it is not known. */
  read(): Value;
  /** Makes the value in turns of the event loop, because that takes up to 200 ms of a large account. */
  ready(): Promise<void>;
}

/**
 * @param owner What the values of `memo` are kept of.
 * @param name What tells this value from others of the account.
 * @param make Adds up in steps.
 */
export function accountSum<Owner extends object, Value>(
  { store }: Pick<AppContext, 'store'>,
  operator: Summed,
  { memo, owner, name = '' }: { memo: RecentMemo<Owner, Value>; owner: Owner; name?: string },
  make: () => Steps<Value>,
): AccountSum<Value> {
  const key = `${changeKey(operator)} ${name}`;
  return {
    read: () => memo.read(owner, key, () => runAtOnce(make())),
    async ready() {
      if (memo.has(owner, key)) return;
      const value = await runYielding(make());
      const now = store.operators.byId(operator.id);
      // Otherwise its parts are not of one moment.
      if (now && changeKey(now) === changeKey(operator)) memo.read(owner, key, () => value);
    },
  };
}
