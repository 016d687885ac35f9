/**
 * The state of a submission, derived from the log entries about it.
 *
 * @module
 */
import type { LogKind } from '#core/schema/log.ts';
import type { SubmissionState } from '#core/schema/submission.ts';

/** The kinds of log entries that change the state of one submission. */
export type StateKind = Extract<LogKind, 'hold' | 'reject' | 'release' | 'restore' | 'withdraw'>;

/** The state of a submission by the log. The owner's actions and the admin's decisions are independent. */
export interface LoggedState {
  /** The last decision of a check or an admin, even if it was made while the submission was withdrawn. */
  readonly decided: Exclude<SubmissionState, 'withdrawn'>;
  readonly isWithdrawn: boolean;
  /** Whether its device was marked as compromised. Then it cannot be restored. */
  readonly isCompromised: boolean;
}

/** The state of a submission without further log entries. */
export const ACCEPTED: LoggedState = {
  decided: 'accepted',
  isWithdrawn: false,
  isCompromised: false,
};

const DECIDED = { hold: 'held', reject: 'rejected', release: 'accepted' } as const;

/** The state after an entry about the submission. */
export function afterEntry(state: LoggedState, kind: StateKind): LoggedState {
  if (kind === 'withdraw') return { ...state, isWithdrawn: true };
  if (kind === 'restore') return state.isCompromised ? state : { ...state, isWithdrawn: false };
  return { ...state, decided: DECIDED[kind] };
}

/** The state after its device was marked as compromised. Rejected submissions stay rejected. */
export function afterCompromise(state: LoggedState): LoggedState {
  const isWithdrawn = state.isWithdrawn || state.decided !== 'rejected';
  return { ...state, isWithdrawn, isCompromised: true };
}

/** The state that is stored and shown. */
export function stateOf({ decided, isWithdrawn }: LoggedState): SubmissionState {
  return isWithdrawn ? 'withdrawn' : decided;
}
