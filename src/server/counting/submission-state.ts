import type { StateEntry } from '#db/moderation.ts';
import type { Store } from '#db/store.ts';
import { DeviceKeys } from '#core/domain/log/device-keys.ts';
import {
  ACCEPTED,
  type LoggedState,
  afterEntry,
  afterCompromise,
} from '#core/domain/log/submission-state.ts';
import type { AccountEvent } from '#core/schema/account.ts';
import type { EnrollPayload } from '#core/schema/log-payload.ts';
import type { CheckId } from '#core/schema/moderation.ts';
import { announce } from '#server/webhooks/announce.ts';
import type { AppContext } from '../context.ts';

export interface SubmissionDecision {
  kind: 'hold' | 'reject' | 'release';
  public_id: string;
  place: number;
  by: 'keeper' | `check:${string}`;
  reason: string;
  now: Date;
}

/** The author of a decision about a submission, and the reason. */
type LoggedDecision = Pick<SubmissionDecision, 'by' | 'reason'> & { submission: string };

/** Reads a decision from its log entry. */
export function decisionOf({ payload }: { payload: string }): LoggedDecision {
  return JSON.parse(payload) as LoggedDecision;
}

const EVENTS: Readonly<Record<SubmissionDecision['kind'], AccountEvent['kind']>> = {
  hold: 'submission_held',
  reject: 'submission_rejected',
  release: 'submission_released',
};

/**
 * Enters a decision about a submission in the public log and in the account's events. Call it inside the transaction
 * of the decision.
 */
export function enterState(
  store: AppContext['store'],
  { kind, public_id, place, by, reason, now }: SubmissionDecision,
): number {
  const submission = store.submissions.at(place);
  if (!submission) throw new Error('A decision is about a stored submission');
  const { id, operator_id } = submission;
  const payload = { operator: public_id, submission: id, log_index: place, by, reason };
  const created_at = now.toISOString();
  store.accountEvents.add({ operator_id, kind: EVENTS[kind], detail: id, created_at });
  if (kind === 'hold') {
    const check = by === 'keeper' ? null : (by.slice('check:'.length) as CheckId);
    const data = { submission: id, by: check === null ? 'admin' : 'check', check } as const;
    announce(store, { type: 'submission.held', data, now });
  }
  return store.log.append({ kind, operator_id, payload, now }).log_index;
}

type Stored = Pick<Store, 'deviceReplacements' | 'moderation'>;

/** All decisions about an operator's submissions, oldest first. */
export function stateEntries(store: Stored, operator_id: number): StateEntry[] {
  const { moderation } = store;
  const entries = moderation.stateEntries(operator_id);
  for (const { log_index, device } of moderation.compromised(operator_id)) {
    // This concerns everything that the device had sent by then, but not submissions of devices that it replaced later.
    const keys = deviceKeysAt(store, operator_id, log_index);
    for (const { place, keyid } of moderation.signedBefore(operator_id, log_index)) {
      if (keys.get(keyid)?.device === device) entries.push({ log_index, kind: 'revoke', place });
    }
  }
  return entries.sort((a, b) => a.log_index - b.log_index);
}

export function afterStateEntry(
  state: LoggedState | undefined,
  { kind }: Pick<StateEntry, 'kind'>,
): LoggedState {
  const before = state ?? ACCEPTED;
  return kind === 'revoke' ? afterCompromise(before) : afterEntry(before, kind);
}

export function loggedState(
  store: Stored,
  { operator_id, log_index }: { operator_id: number; log_index: number },
): LoggedState {
  const entries = stateEntries(store, operator_id).filter(({ place }) => place === log_index);
  return entries.reduce<LoggedState>(afterStateEntry, ACCEPTED);
}

/** The keys of an operator's devices at a log entry. Other devices may have replaced these since. */
export function deviceKeysAt(
  { deviceReplacements }: Pick<Store, 'deviceReplacements'>,
  operator_id: number,
  until: number,
): DeviceKeys<{ operator: string; device: string }> {
  const keys = new DeviceKeys<{ operator: string; device: string }>();
  for (const payload of deviceReplacements.enrollments(operator_id, until)) {
    const { keyid, operator, device, replaces } = JSON.parse(payload) as EnrollPayload;
    keys.add(keyid, { operator, device });
    if (replaces !== undefined) keys.replace({ operator, device, replaces });
  }
  return keys;
}
