import type { AccountEvent } from '#core/schema/account.ts';
import type { AppContext } from '../context.ts';

/** What a check or a keeper decides about a submission. */
export interface Decision {
  kind: 'hold' | 'reject' | 'release';
  /** What the log calls the operator. */
  public_id: string;
  /** The submission's place in the log. */
  place: number;
  by: 'keeper' | `check:${string}`;
  reason: string;
  now: Date;
}

/** Who decided about a submission, and why. */
export type Told = Pick<Decision, 'by' | 'reason'> & { submission: string };

/** A decision as its log entry tells it. */
export function decisionOf({ payload }: { payload: string }): Told {
  return JSON.parse(payload) as Told;
}

const EVENTS: Readonly<Record<Decision['kind'], AccountEvent['kind']>> = {
  hold: 'submission_held',
  reject: 'submission_rejected',
  release: 'submission_released',
};

/**
 * Enters a decision about a submission in the log, for everybody, and among the account's events, for its
 * owner. Call it inside the transaction of the decision.
 *
 * @returns The entry's place in the log.
 */
export function enterState(
  store: AppContext['store'],
  { kind, public_id, place, by, reason, now }: Decision,
): number {
  const submission = store.submissions.at(place);
  if (!submission) throw new Error('A decision is about a stored submission');
  const { id, operator_id } = submission;
  const payload = { operator: public_id, submission: id, log_index: place, by, reason };
  const created_at = now.toISOString();
  store.accountEvents.add({ operator_id, kind: EVENTS[kind], detail: id, created_at });
  return store.log.append({ kind, operator_id, payload, now }).log_index;
}
