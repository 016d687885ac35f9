import { DomainError } from '#core/domain/text/errors.ts';
import type { SubmissionRow } from '#db/submissions.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { AdminReason } from '#core/schema/moderation.ts';
import type { SubmissionState } from '#core/schema/submission.ts';
import { type Actor, audit } from '../process/admin-actions.ts';
import type { Board } from '../context.ts';
import {
  type SubmissionDecision,
  decisionOf,
  enterState,
  loggedState,
} from '../counting/submission-state.ts';
import { type Restatement, restateAtOnce, restateYielding } from '../counting/recount.ts';

interface DecisionRequest {
  kind: SubmissionDecision['kind'];
  id: string;
  /** The reason, which the public log shows to everyone who may see the submission. */
  reason: string;
  /** The log entry of the hold that the admin looked at. If the submission was decided since then, nothing changes. */
  seen?: number;
  by?: Actor | undefined;
}

const STATES: Readonly<
  Record<SubmissionDecision['kind'], { to: SubmissionState; from: readonly SubmissionState[] }>
> = {
  hold: { to: 'held', from: ['accepted', 'held', 'rejected'] },
  release: { to: 'accepted', from: ['held', 'rejected'] },
  reject: { to: 'rejected', from: ['accepted', 'held'] },
};

/**
 * Holds, releases or rejects a submission for the admin, and recounts. After a release, the check that held the
 * submission does not hold the same days again. Admins can also hold a submission that a check holds, to give their own
 * reason. A withdrawn submission stays withdrawn; the decision applies when its owner restores it.
 */
export function decideSubmission(board: Board, request: DecisionRequest): void {
  const reason = parseAs(AdminReason, request.reason, 'The reason');
  restateAtOnce(board, () => restatement(board, { ...request, reason }));
}

/** The same inside the server, which answers other requests meanwhile. */
export async function decideYielding(board: Board, request: DecisionRequest): Promise<void> {
  const reason = parseAs(AdminReason, request.reason, 'The reason');
  await restateYielding(board, () => restatement(board, { ...request, reason }));
}

function restatement({ store, now }: Board, request: DecisionRequest): Restatement {
  const { kind, id, reason, seen, by } = request;
  const submission = submissionOf(store, id);
  refuseUnseen(store, submission, seen);
  const { operator_id, log_index } = submission;
  const isWithdrawn = submission.state === 'withdrawn';
  const { decided, isCompromised } = loggedState(store, submission);
  const state = isWithdrawn ? decided : submission.state;
  const { to, from } = STATES[kind];
  const isKept = isWithdrawn || whoDecided(store, id) === 'keeper';
  if (!from.includes(state) || (state === to && isKept)) {
    throw conflict(`is already ${stateText(state)}`);
  }
  if ((isWithdrawn || kind === 'release') && isCompromised) {
    throw conflict('came from a device that its owner marked as compromised');
  }
  const at = now();
  return {
    operator_id,
    submissions: [log_index],
    state: isWithdrawn ? 'withdrawn' : to,
    enter: ({ public_id }) => {
      audit(store, { action: kind, subject: id, operator_id, reason, now: at, by });
      if (kind === 'release') store.checks.release(log_index, at.toISOString());
      const decision = { kind, public_id, place: log_index, by: 'keeper', reason } as const;
      return enterState(store, { ...decision, now: at });
    },
  };
}

/** Rejects a decision on what somebody else decided since the admin looked. */
function refuseUnseen(
  store: Board['store'],
  submission: SubmissionRow,
  seen: number | undefined,
): void {
  const decidedAt = store.moderation.decision(submission.id)?.decided_at;
  if (seen !== undefined && decidedAt !== seen)
    throw new DomainError('state_conflict', decidedSince(store, submission));
}

/** What was decided since an admin looked, and by which admin. */
function decidedSince(
  { auditLog }: Board['store'],
  { id, state }: Pick<SubmissionRow, 'id' | 'state'>,
): string {
  const now = `Submission ${id} is now ${stateText(state)}. Nothing was changed`;
  const last = auditLog.lastDecision(id);
  if (!last || STATES[last.action].to !== state) return now;
  const { action, via, created_at } = last;
  const who = via === 'command' ? 'a command on the server' : (last.actor ?? 'a former admin');
  const first = `${action}, ${created_at.slice(0, 16).replace('T', ' ')} UTC`;
  return `Decided first by ${who} (${first}): ${last.reason}. ${now}`;
}

function whoDecided({ moderation }: Board['store'], id: string): string | null {
  const decision = moderation.decision(id);
  return decision ? decisionOf(decision).by : null;
}

function submissionOf({ submissions }: Board['store'], id: string) {
  const submission = submissions.byId(id);
  if (submission) return submission;
  throw new DomainError('not_found', `There is no submission ${id}`);
}

function stateText(state: SubmissionState): string {
  return state === 'held' ? 'on hold' : state;
}

function conflict(what: string): DomainError {
  return new DomainError('state_conflict', `The submission ${what}`);
}
