import { nullIfRefused } from '#core/domain/text/errors.ts';
import { UuidV7 } from '#core/schema/scalars.ts';
import type { Caller } from '#core/schema/session.ts';
import type { SubmissionDetail } from '#core/schema/submission.ts';
import type { AppContext } from '../context.ts';
import { loggedState } from '../counting/logged-states.ts';
import { ownSubmission } from './own-submission.ts';
import { readSubmission, readySubmission } from './submissions.ts';

/** A submission as its owner may change it. */
export interface OwnSubmission {
  submission: SubmissionDetail;
  /** Whether its device was marked as compromised: then it cannot be restored. */
  isRecalled: boolean;
}

/** A submission of the caller; null if the caller has none of this ID. */
export async function findOwnSubmission(
  ctx: AppContext,
  caller: Caller,
  id: string,
): Promise<OwnSubmission | null> {
  if (!UuidV7.safeParse(id).success) return null;
  const own = nullIfRefused(() => ownSubmission(ctx, caller, id), 'not_found');
  if (!own) return null;
  await readySubmission(ctx, id);
  const { isRecalled } = loggedState(ctx.store, own);
  return { submission: readSubmission(ctx, id, caller), isRecalled };
}
