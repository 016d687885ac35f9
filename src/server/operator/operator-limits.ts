import type { BucketTotals } from '#db/buckets.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import { MAX_BUCKETS, MAX_COUNT, MAX_SOURCES } from '#core/schema/usage.ts';
import type { AppContext } from '../context.ts';

/** What is bounded of the sources that count for an operator, as a refusal names it. */
const SOURCES = {
  tools: 'tools',
  providers: 'providers',
  models: 'models',
  pairs: 'pairs of provider and model',
} as const;

/**
 * Changes what counts for an operator, inside the transaction of the change, and makes sure that the
 * result can be summed exactly and shown. An operator who has too many sources already can still make
 * changes that add none.
 *
 * @throws {DomainError} `count_out_of_range` or `too_many_sources` if the result is too much.
 */
export function changeWithinLimits(
  { store }: Pick<AppContext, 'store'>,
  operatorId: number,
  change: () => void,
): void {
  const before = store.buckets.totals(operatorId);
  change();
  const after = store.buckets.totals(operatorId);
  if (after.total > MAX_COUNT) {
    const detail = "With this the operator's counts pass 2^53-1 tokens";
    throw new DomainError('count_out_of_range', detail);
  }
  const excess = excessOf(before, after);
  if (excess !== null) throw new DomainError('too_many_sources', excess);
}

/** What a change made too many; null if it made nothing so. */
function excessOf(before: BucketTotals, after: BucketTotals): string | null {
  const isExceeded = (name: keyof BucketTotals, most: number) =>
    after[name] > most && after[name] > before[name];
  const found = (Object.keys(SOURCES) as (keyof typeof SOURCES)[])
    .filter((name) => isExceeded(name, MAX_SOURCES[name]))
    .map((name) => `${after[name]} ${SOURCES[name]}, of which at most ${MAX_SOURCES[name]} count`);
  if (found.length > 0) return `With this the operator would have ${found.join('; ')}`;
  if (!isExceeded('standing', MAX_BUCKETS)) return null;
  const most = `the most is ${MAX_BUCKETS}`;
  return `With this the operator's devices state ${after.standing} daily counts; ${most}`;
}
