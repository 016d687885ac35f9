import type { SubmissionRow } from '#db/submissions.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AccountEvent, Caller } from '#core/schema/account.ts';
import type { SubmissionState } from '#core/schema/submission.ts';
import type { AppContext, Board } from '../context.ts';
import { type Restatement, restateAtOnce, restateYielding } from '../counting/recount.ts';
import { loggedState } from '../counting/submission-state.ts';

/**
 * Withdraws a submission of the caller, and recounts from the remaining accepted ones. Does nothing if the submission is
 * already withdrawn.
 */
export async function withdrawSubmission(ctx: AppContext, caller: SubmissionOwner, id: string) {
  await restateInOrder(ctx, caller.operator_id, () => withdrawal(ctx, caller, id));
}

/** The same without yielding, for a process that serves no requests. */
export function withdrawAtOnce(board: Board, operator_id: number, id: string): void {
  restateAtOnce(board, () => withdrawal(board, { operator_id, device_id: null }, id));
}

function withdrawal(ctx: Board, caller: SubmissionOwner, id: string): Restatement | null {
  const submission = ownSubmission(ctx, caller, id);
  if (submission.state === 'withdrawn') return null;
  return ownRestatement(ctx, { kind: 'withdraw', submission, state: 'withdrawn' });
}

/** The caller who changes a submission. A device can change only its own submissions. */
type SubmissionOwner = Pick<Caller, 'device_id' | 'operator_id'>;

interface OwnChange {
  kind: 'restore' | 'withdraw';
  submission: SubmissionRow;
  state: SubmissionState;
}

/** Each operator's last change. Changes run one after the other, because each one affects the next. */
const underWay = new Map<number, Promise<void>>();

async function restateInOrder(
  ctx: AppContext,
  operator_id: number,
  prepare: () => Restatement | null,
): Promise<void> {
  const before = underWay.get(operator_id) ?? Promise.resolve();
  const mine = before.then(() => restateYielding(ctx, prepare));
  const settled = mine.catch(() => undefined);
  underWay.set(operator_id, settled);
  try {
    await mine;
  } finally {
    if (underWay.get(operator_id) === settled) underWay.delete(operator_id);
  }
}

/** A submission that the caller may withdraw and restore. */
export function ownSubmission(
  { store }: Pick<Board, 'store'>,
  { operator_id, device_id }: SubmissionOwner,
  id: string,
): SubmissionRow {
  const submission = store.submissions.byId(id);
  if (submission?.operator_id !== operator_id) {
    throw new DomainError('not_found', 'You have no submission with this ID');
  }
  if (device_id === null || submission.device_id === device_id) return submission;
  const detail = 'Another device of your account sent this submission, or you sent it by hand';
  throw new DomainError('not_found', `${detail}. Sign in to change it`);
}

const EVENTS: Readonly<Record<OwnChange['kind'], AccountEvent['kind']>> = {
  restore: 'submission_restored',
  withdraw: 'submission_withdrawn',
};

function ownRestatement(ctx: Board, { kind, submission, state }: OwnChange): Restatement {
  const { id, operator_id, log_index } = submission;
  return {
    operator_id,
    submissions: [log_index],
    state,
    enter: ({ public_id }) => {
      const now = ctx.now();
      const event = { operator_id, kind: EVENTS[kind], detail: id, created_at: now.toISOString() };
      ctx.store.accountEvents.add(event);
      const payload = { operator: public_id, submission: id, log_index };
      return ctx.store.log.append({ kind, operator_id, payload, now }).log_index;
    },
  };
}

/**
 * Restores a withdrawn submission of the caller to the state that checks and the admin last decided, even while it was
 * withdrawn. A submission that was on hold is on hold again. Does nothing if the submission is not withdrawn.
 */
export async function restoreSubmission(ctx: AppContext, caller: SubmissionOwner, id: string) {
  await restateInOrder(ctx, caller.operator_id, () => restoration(ctx, caller, id));
}

function restoration(ctx: Board, caller: SubmissionOwner, id: string): Restatement | null {
  const submission = ownSubmission(ctx, caller, id);
  if (submission.state !== 'withdrawn') return null;
  const { decided, isCompromised } = loggedState(ctx.store, submission);
  if (isCompromised) {
    const detail =
      'You cannot restore this submission because its device is marked as compromised. Enroll the device again and submit these days again';
    throw new DomainError('state_conflict', detail);
  }
  return ownRestatement(ctx, { kind: 'restore', submission, state: decided });
}
