import type { AppContext, Board } from '../context.ts';
import {
  type SubmissionOwner,
  ownRestatement,
  ownSubmission,
  restateInOrder,
} from './own-submission.ts';
import { type Restatement, restateAtOnce } from '../counting/recount.ts';

/**
 * Withdraws a submission of the caller: what counts is rebuilt from the remaining accepted ones.
 * Withdrawing a withdrawn submission changes nothing.
 *
 * @throws {DomainError} `not_found` if the caller has no such submission.
 * @throws {DomainError} `count_out_of_range` or `too_many_sources` if what it had replaced cannot
 *   stand beside what came later.
 */
export async function withdrawSubmission(
  ctx: AppContext,
  caller: SubmissionOwner,
  id: string,
): Promise<void> {
  await restateInOrder(ctx, caller.operator_id, () => withdrawal(ctx, caller, id));
}

/** The same in one go, for a process that answers no requests. */
export function withdrawAtOnce(board: Board, operator_id: number, id: string): void {
  restateAtOnce(board, () => withdrawal(board, { operator_id, device_id: null }, id));
}

/** Returns null if it was withdrawn before. */
function withdrawal(ctx: Board, caller: SubmissionOwner, id: string): Restatement | null {
  const submission = ownSubmission(ctx, caller, id);
  if (submission.state === 'withdrawn') return null;
  return ownRestatement(ctx, { kind: 'withdraw', submission, state: 'withdrawn' });
}
