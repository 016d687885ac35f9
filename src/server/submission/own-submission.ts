/** What operators change about their own submissions. */
import type { SubmissionRow } from '#db/submissions.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AccountEvent } from '#core/schema/account.ts';
import type { Caller } from '#core/schema/session.ts';
import type { SubmissionState } from '#core/schema/submission.ts';
import type { AppContext, Board } from '../context.ts';
import { type Restatement, restateInTurns } from '../counting/recount.ts';

/** Who changes a submission: a device changes only what it sent itself. */
export type SubmissionOwner = Pick<Caller, 'device_id' | 'operator_id'>;

/** What an owner does with a submission. */
interface OwnChange {
  kind: 'restore' | 'withdraw';
  submission: SubmissionRow;
  state: SubmissionState;
}

/** Each operator's last change: each changes what the next one counts, so they run one after the other. */
const underWay = new Map<number, Promise<void>>();

/** Changes the state of a submission once the operator's earlier changes are done. */
export async function restateInOrder(
  ctx: AppContext,
  operator_id: number,
  prepare: () => Restatement | null,
): Promise<void> {
  const before = underWay.get(operator_id) ?? Promise.resolve();
  const mine = before.then(() => restateInTurns(ctx, prepare));
  const settled = mine.catch(() => undefined);
  underWay.set(operator_id, settled);
  try {
    await mine;
  } finally {
    if (underWay.get(operator_id) === settled) underWay.delete(operator_id);
  }
}

/**
 * A submission that the caller may withdraw and restore.
 *
 * @throws {DomainError} `not_found` if the caller has no such submission.
 */
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
  const detail = 'Another device of your account sent it, or you sent it by hand';
  throw new DomainError('not_found', `${detail}. Sign in to change it`);
}

const EVENTS: Readonly<Record<OwnChange['kind'], AccountEvent['kind']>> = {
  restore: 'submission_restored',
  withdraw: 'submission_withdrawn',
};

/** The new state, with its log entry and the account's event. */
export function ownRestatement(ctx: Board, { kind, submission, state }: OwnChange): Restatement {
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
