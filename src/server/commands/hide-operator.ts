import { DomainError } from '#core/domain/errors.ts';
import { audit } from '../audit.ts';
import type { AppContext } from '../context.ts';
import { setSeenAs } from '../visibility.ts';

/** What both a server and the keeper's process have. */
type Board = Pick<AppContext, 'now' | 'store'>;

export interface HidingRequest {
  kind: 'hide' | 'unhide';
  codename: string;
  /** What the log tells everybody once the operator is open to them. */
  reason: string;
}

/**
 * Shows an operator to nobody, whatever its privacy mode, or as that has it again. A running server
 * publishes it.
 *
 * @returns The log entry that tells of it.
 * @throws {DomainError} `codename_unknown`, or `state_conflict` if that was done before.
 */
export function hideOperator({ store, now }: Board, { kind, codename, reason }: HidingRequest) {
  const at = now();
  const created_at = at.toISOString();
  return store.transaction(() => {
    const operator = store.operators.byCodename(codename);
    if (!operator) {
      throw new DomainError('codename_unknown', `No operator has the codename "${codename}"`);
    }
    const { id: operator_id, public_id, hidden_at } = operator;
    if ((hidden_at !== null) === (kind === 'hide')) {
      const state = hidden_at === null ? 'not hidden' : `hidden since ${hidden_at}`;
      throw new DomainError('state_conflict', `The operator "${codename}" is ${state}`);
    }
    setSeenAs({ store, now }, { ...operator, hidden_at: kind === 'hide' ? created_at : null });
    audit(store, { action: kind, subject: codename, operator_id, reason, now: at });
    const event = kind === 'hide' ? 'account_hidden' : 'account_shown';
    store.accountEvents.add({ operator_id, kind: event, detail: reason, created_at });
    const payload = { operator: public_id, by: 'keeper', reason };
    const { log_index } = store.log.append({ kind, operator_id, payload, now: at });
    // An account that the log told nothing of has nothing to be counted.
    if (operator.log_index > 0) store.operators.touch(operator_id, log_index);
    return log_index;
  });
}
