import type { AppContext } from '../context.ts';

/**
 * Counts a change after which everybody sees something of an operator that they did not see before. Such
 * changes are limited because each publishes the board at once. Hiding is never counted: nobody can hide
 * again and again without showing something in between.
 *
 * @throws {QuotaError} if the operator made too many such changes in 10 minutes or in a day.
 */
export function countShowing({ limiter }: Pick<AppContext, 'limiter'>, operator_id: number): void {
  limiter.take('visibility', String(operator_id));
  limiter.take('visibility_day', String(operator_id));
}
