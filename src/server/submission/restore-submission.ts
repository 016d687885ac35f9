import { DomainError } from '#core/domain/text/errors.ts';
import { loggedState } from '../counting/logged-states.ts';
import type { AppContext, Board } from '../context.ts';
import {
  type SubmissionOwner,
  ownRestatement,
  ownSubmission,
  restateInOrder,
} from './own-submission.ts';
import type { Restatement } from '../counting/recount.ts';

/**
 * Undoes the withdrawal of a submission of the caller. Its state is again what checks and admins
 * decided last, also while it was withdrawn: what was held is held again. Restoring a submission
 * that is not withdrawn changes nothing.
 *
 * @throws {DomainError} `not_found` if the caller has no such submission, `state_conflict` if its
 *   device was marked as compromised.
 * @throws {DomainError} `count_out_of_range` or `too_many_sources` if what then counts is too much.
 */
export async function restoreSubmission(
  ctx: AppContext,
  caller: SubmissionOwner,
  id: string,
): Promise<void> {
  await restateInOrder(ctx, caller.operator_id, () => restoration(ctx, caller, id));
}

/** Returns null if it is not withdrawn. */
function restoration(ctx: Board, caller: SubmissionOwner, id: string): Restatement | null {
  const submission = ownSubmission(ctx, caller, id);
  if (submission.state !== 'withdrawn') return null;
  const { decided, isRecalled } = loggedState(ctx.store, submission);
  if (isRecalled) {
    const detail =
      'The submission cannot be restored: its device was marked as compromised. Enroll the machine again and submit its days anew';
    throw new DomainError('state_conflict', detail);
  }
  return ownRestatement(ctx, { kind: 'restore', submission, state: decided });
}
