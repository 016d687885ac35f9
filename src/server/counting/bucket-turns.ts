import type { AppContext } from '../context.ts';
import { type Operator, changeKey } from '../operator/operator.ts';
import type { RecentMemo } from '../process/recent-memo.ts';
import { atOnce } from '#core/domain/text/steps.ts';
import { runYielding } from '../process/yield-to-event-loop.ts';

type Store = AppContext['store'];
type Part = Parameters<Store['records']['signedUsage']>[0];
/** The key of a cached sum: the account and its state. */
export type Summed = Pick<Operator, 'id' | 'log_index'>;

/** Work in steps of a few milliseconds. */
export type Steps<Result> = Generator<void, Result>;

/** Buckets with the longest names take 4 µs each to find and add up, and 13 µs to read with their names. */
const SUMMED = 2_000;
/** How many buckets are read in a step, with their names. */
export const NAMED = 1_000;
export const EVER = { from: '', to: '9999-12-31' };

/**
 * Visits an account's buckets in parts.
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

/** A value computed from an account's buckets, cached until the account's counts change. */
export interface AccountSum<Value> {
  /** Returns the value. Computes it synchronously if it is not cached. */
  read(): Value;
  /** Computes the value, yielding to the event loop, because a large account takes up to 200 ms. */
  ready(): Promise<void>;
}

/**
 * @param owner The object that the values of `memo` belong to.
 * @param name Distinguishes this value from others of the account.
 * @param make Computes the value in steps.
 */
export function accountSum<Owner extends object, Value>(
  { store }: Pick<AppContext, 'store'>,
  operator: Summed,
  { memo, owner, name = '' }: { memo: RecentMemo<Owner, Value>; owner: Owner; name?: string },
  make: () => Steps<Value>,
): AccountSum<Value> {
  const key = `${changeKey(operator)} ${name}`;
  return {
    read: () => memo.read(owner, key, () => atOnce(make())),
    async ready() {
      if (memo.has(owner, key)) return;
      const value = await runYielding(make());
      const now = store.operators.byId(operator.id);
      // Otherwise, the account changed while it was read.
      if (now && changeKey(now) === changeKey(operator)) memo.read(owner, key, () => value);
    },
  };
}
