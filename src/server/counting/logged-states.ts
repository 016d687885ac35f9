/** The states of submissions as the log's entries about them say. */
import type { StateEntry } from '#db/moderation.ts';
import type { Store } from '#db/store.ts';
import {
  ACCEPTED,
  type LoggedState,
  afterEntry,
  afterRecall,
} from '#core/domain/log/submission-state.ts';
import { deviceKeysAt } from './logged-devices.ts';

type Stored = Pick<Store, 'deviceReplacements' | 'moderation'>;

/** All that was ever decided about an operator's submissions, oldest first. */
export function stateEntries(store: Stored, operator_id: number): StateEntry[] {
  const { moderation } = store;
  const entries = moderation.stateEntries(operator_id);
  for (const { log_index, device } of moderation.recalls(operator_id)) {
    // A device takes all along that it had sent: not what another one had, whose place it took later.
    const keys = deviceKeysAt(store, operator_id, log_index);
    for (const { place, keyid } of moderation.signedBefore(operator_id, log_index)) {
      if (keys.get(keyid)?.device === device) entries.push({ log_index, kind: 'revoke', place });
    }
  }
  return entries.sort((a, b) => a.log_index - b.log_index);
}

/** A submission's state after one of its entries; without an earlier one it was accepted. */
export function afterStateEntry(
  state: LoggedState | undefined,
  { kind }: Pick<StateEntry, 'kind'>,
): LoggedState {
  const before = state ?? ACCEPTED;
  return kind === 'revoke' ? afterRecall(before) : afterEntry(before, kind);
}

/** A submission's state by all entries about it. */
export function loggedState(
  store: Stored,
  { operator_id, log_index }: { operator_id: number; log_index: number },
): LoggedState {
  const entries = stateEntries(store, operator_id).filter(({ place }) => place === log_index);
  return entries.reduce<LoggedState>(afterStateEntry, ACCEPTED);
}
