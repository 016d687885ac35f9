import { DomainError } from '#core/domain/errors.ts';
import { MAX_COUNT, MAX_MODELS, MAX_TOOLS } from '#core/schema/usage.ts';
import type { AppContext } from './context.ts';

/** What a recount or a history has to read at once: several times what years of heavy use leave. */
const MAX_BUCKETS = 100_000;

/**
 * Makes sure, inside the transaction of a change, that what then counts for an operator can be
 * summed exactly and shown.
 *
 * @throws {DomainError} `count_out_of_range` or `too_many_sources` if it cannot.
 */
export function checkOperatorLimits(
  { store }: Pick<AppContext, 'store'>,
  operatorId: number,
): void {
  const { total, tools, models, standing } = store.buckets.totals(operatorId);
  if (total > MAX_COUNT) {
    const detail = "With this the operator's counts pass 2^53-1 tokens";
    throw new DomainError('count_out_of_range', detail);
  }
  if (tools > MAX_TOOLS || models > MAX_MODELS) {
    const detail = `With this the operator reports ${tools} tools and ${models} models`;
    throw new DomainError('too_many_sources', detail);
  }
  if (standing > MAX_BUCKETS) {
    const detail = `With this the operator's devices state ${standing} buckets`;
    throw new DomainError('too_many_sources', detail);
  }
}
