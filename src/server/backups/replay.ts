/**
 * Reapplies deletions, revocations, withdrawals and visibility changes from after a backup, so that restoring it does
 * not undo them.
 */
import type { SeenAccount } from '#db/accounts-in.ts';
import type { Operator } from '#db/operators.ts';
import type { PrivacyMode } from '#core/schema/record.ts';
import { decideSubmission } from '../submission/decide-submission.ts';
import { hideOperator } from '../operator/hide-operator.ts';
import { revokeApiKey } from '../identity/api-keys.ts';
import { withdrawAtOnce } from '../submission/withdraw-submission.ts';
import type { Board } from '../context.ts';
import { eraseAccount } from '../account/delete-account.ts';
import { type LaterFacts, wasDeleted, type LaterDecision } from './later-facts.ts';
import { loggedState } from '../counting/submission-state.ts';
import { markDeviceCompromised, revokeKey } from '../device/revoke-device.ts';
import { changeVisibility } from '../operator/visibility.ts';

export interface Replayed {
  erased: number;
  /** Accounts that became less visible: by privacy mode, opt-out, or an admin's decision. */
  hidden: number;
  revoked: number;
  decided: number;
  /** Codenames of restored accounts that may have been deleted since; null if there are no facts. */
  unconfirmed: string[] | null;
}

/** From most to least visible. */
const MODES: readonly PrivacyMode[] = ['identified', 'pseudonymous', 'anonymous', 'private'];

/**
 * Reapplies later facts to a restored board, but only what they state for certain.
 *
 * @param length The number of log entries in the backup.
 */
export function replayFacts(board: Board, facts: readonly LaterFacts[], length: number): Replayed {
  const { store } = board;
  const gone = new Set(facts.flatMap((each) => goneBy(board, each, length)));
  store.transaction(() => {
    // An account whose erasure had begun is closed here. The server then erases the rest.
    for (const id of gone) if (store.operators.byId(id)) eraseAccount(board, id);
  });
  const seen = facts.flatMap(({ accounts, later }) => [
    ...(accounts?.seen.values() ?? []),
    ...later.seen.values(),
  ]);
  return {
    erased: gone.size,
    revoked: facts.map((each) => revokeAsThere(board, each)).reduce(sum, 0),
    decided: facts.map((each) => decideAsThere(board, each)).reduce(sum, 0),
    hidden: seen.filter((account) => hideAsThere(board, account)).length,
    unconfirmed: unconfirmedIn(board, facts),
  };
}

const sum = (one: number, other: number) => one + other;

/** Returns accounts that no longer exist: the log has their entries erased, or their names are reserved as deleted. */
function goneBy({ store }: Board, facts: LaterFacts, length: number): number[] {
  const { common, shared, later, accounts, isWhole } = facts;
  const owners = later.erased
    .filter(([first]) => first <= shared)
    .map(([first]) => store.log.at(first)?.operator_id ?? null);
  const unlogged =
    isWhole && common === length && accounts
      ? store.operators.all().filter(({ public_id, codename }) => {
          return !accounts.seen.has(public_id) && wasDeleted(accounts, codename);
        })
      : [];
  return [...owners, ...unlogged.map(({ id }) => id)].filter((id) => id !== null);
}

/** Accounts that are absent from the facts, but that the log would not show as deleted. */
function unconfirmedIn({ store }: Board, facts: readonly LaterFacts[]): string[] | null {
  const related = facts.filter(isRelated);
  if (related.length === 0) return null;
  const common = Math.max(...related.map((each) => each.common));
  const logged = new Set(store.log.operatorsUntil(common));
  const isSeen = (id: string) => related.some(({ accounts }) => accounts?.seen.has(id));
  return store.operators
    .all()
    .filter(({ id, public_id }) => !logged.has(id) && !isSeen(public_id))
    .map(({ codename }) => codename);
}

/** Returns whether the facts are about this board. */
export function isRelated({ common, accounts, isWhole }: LaterFacts): boolean {
  return common > 0 || (accounts !== null && accounts.seen.size > 0 && !isWhole);
}

/** Revokes keys that are no longer valid in the facts. Names of keys are unique. Returns how many were revoked. */
function revokeAsThere(board: Board, { later, accounts }: LaterFacts): number {
  const { store } = board;
  const keys = [...later.revoked].filter(([keyid, reason]) => {
    const key = store.devices.key(keyid);
    if (!key) return false;
    store.transaction(() => {
      if (reason === 'compromised') markDeviceCompromised(board, key.device_id);
      else revokeKey(board, keyid, reason);
    });
    return key.revoked_at === null;
  });
  // Their keys may be newer than the backup.
  const devices = [...later.compromised].filter((public_id) => {
    const device = store.devices.byPublicId(public_id);
    if (device) store.transaction(() => markDeviceCompromised(board, device.id));
    return device?.revoked_at === null;
  });
  const apiKeys = [...(accounts?.revokedKeys ?? [])].filter((id) => {
    const isGood = store.apiKeys.byId(id)?.revoked_at === null;
    if (isGood) revokeApiKey(store, id, board.now());
    return isGood;
  });
  return keys.length + devices.length + apiKeys.length;
}

/** Excludes submissions that their owner or the admin excluded later. Returns how many. */
function decideAsThere(board: Board, { shared, later }: LaterFacts): number {
  const decided = [...later.decided.values()].filter((decision) => {
    return decision.log_index <= shared && decideAgain(board, decision);
  });
  const withdrawn = [...later.withdrawn].filter((log_index) => {
    return log_index <= shared && withdrawAgain(board, log_index);
  });
  return new Set([...decided.map(({ log_index }) => log_index), ...withdrawn]).size;
}

/** Returns whether the decision excludes the submission. Releases are left to the admin to repeat. */
function decideAgain(board: Board, { kind, log_index, reason }: LaterDecision): boolean {
  const submission = board.store.submissions.at(log_index);
  if (!submission || kind === 'release') return false;
  const { id, operator_id } = submission;
  const { decided, isCompromised } = loggedState(board.store, { operator_id, log_index });
  const isLess = decided === 'accepted' || (decided === 'held' && kind === 'reject');
  if (!isLess || isCompromised) return false;
  decideSubmission(board, { kind, id, reason });
  return true;
}

function withdrawAgain(board: Board, log_index: number): boolean {
  const submission = board.store.submissions.at(log_index);
  if (!submission || submission.state === 'withdrawn') return false;
  withdrawAtOnce(board, submission.operator_id, submission.id);
  return true;
}

function hideAsThere(board: Board, there: SeenAccount): boolean {
  const { store } = board;
  const here = store.operators.byPublicId(there.public_id);
  if (!here) return false;
  const change = stricter(here, there);
  const isHidden = there.hidden_at !== null && here.hidden_at === null;
  if (Object.keys(change).length > 0) {
    store.transaction(() => changeVisibility(board, here.id, change));
  }
  if (isHidden) {
    const reason = there.hidden_reason ?? 'Hidden before a backup was restored';
    hideOperator(board, { kind: 'hide', name: here.codename, reason });
  }
  return isHidden || Object.keys(change).length > 0;
}

function stricter(here: Operator, there: SeenAccount) {
  const { privacy_mode } = there;
  const isStricter = MODES.indexOf(privacy_mode) > MODES.indexOf(here.privacy_mode);
  return {
    ...(isStricter ? { privacy_mode } : {}),
    ...(there.data_opt_out > here.data_opt_out ? { data_opt_out: there.data_opt_out } : {}),
  };
}
