import type { AppContext } from '../context.ts';
import { type Operator, changeKey } from '../operator/operator.ts';
import { anotherTurn } from '../process/yield-to-event-loop.ts';

type Store = AppContext['store'];
type Part = Parameters<Store['records']['signedUsage']>[0];
/** What sums are kept by: the account, and what counts of it. */
export type Summed = Pick<Operator, 'id' | 'log_index'>;

/** Buckets of the longest names take 4 us each to find and to add up, and 13 us to read with their names. */
const SUMMED = 2_000;
/** So many are read in a turn where their names are. */
export const NAMED = 1_000;
/** All days. */
export const EVER = { from: '', to: '9999-12-31' };

/**
 * Visits an account's buckets part by part, each in a turn of the event loop.
 *
 * @param size How many buckets a part holds.
 * @returns Whether they are of one moment: false if the account changed meanwhile.
 */
export async function eachPart(
  store: Store,
  operator: Summed,
  days: { from: string; to: string },
  visit: (part: Part) => void,
  size = SUMMED,
): Promise<boolean> {
  const span = { operator_id: operator.id, ...days };
  let after: Part['after'] = null;
  do {
    if (after) await anotherTurn();
    const until = store.records.partEnd({ ...span, after }, size);
    visit({ ...span, after, until });
    after = until;
  } while (after);
  const current = store.operators.byId(operator.id);
  return current !== undefined && changeKey(current) === changeKey(operator);
}
