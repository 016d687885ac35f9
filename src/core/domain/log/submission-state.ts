/**
 * The state of a submission, derived from the log entries about it.
 *
 * @module
 */
import type { LogKind } from '#core/schema/log.ts';
import type { SubmissionState } from '#core/schema/submission.ts';

/** The kinds of entries that change the state of one submission. */
export type StateKind = Extract<LogKind, 'hold' | 'reject' | 'release' | 'restore' | 'withdraw'>;

/** What the log says about a submission. What its owner does and what others decide are independent. */
export interface LoggedState {
  /** The last decision of a check or an admin, also one made while the submission was withdrawn. */
  readonly decided: Exclude<SubmissionState, 'withdrawn'>;
  readonly isWithdrawn: boolean;
  /** Whether its device was marked as compromised: then it cannot be restored. */
  readonly isCompromised: boolean;
}

/** The state of a submission about which the log has no further entry. */
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

/** The state after its device was marked as compromised. What was rejected stays rejected. */
export function afterCompromise(state: LoggedState): LoggedState {
  const isWithdrawn = state.isWithdrawn || state.decided !== 'rejected';
  return { ...state, isWithdrawn, isCompromised: true };
}

/** The state that a submission is stored and shown with. */
export function stateOf({ decided, isWithdrawn }: LoggedState): SubmissionState {
  return isWithdrawn ? 'withdrawn' : decided;
}
