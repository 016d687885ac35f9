import { DomainError } from '#core/domain/text/errors.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { AdminReason } from '#core/schema/moderation.ts';
import { type Actor, audit } from '../process/admin-actions.ts';
import type { Board } from '../context.ts';
import { operatorCalled, setSeenAs } from './visibility.ts';

interface HidingRequest {
  kind: 'hide' | 'unhide';
  /** The codename, or the public alias. */
  name: string;
  /** The reason, which the public log shows while the operator is visible. */
  reason: string;
  by?: Actor;
}

/** Hides an operator regardless of the privacy mode, or shows the operator again. A running server publishes the change. */
export function hideOperator({ store, now }: Board, { kind, name, by, ...given }: HidingRequest) {
  const reason = parseAs(AdminReason, given.reason, 'The reason');
  const at = now();
  const created_at = at.toISOString();
  return store.transaction(() => {
    const operator = operatorCalled({ store, now }, name);
    if (!operator) throw new DomainError('not_found', `No operator has the name "${name}"`);
    const { id: operator_id, public_id, codename, hidden_at } = operator;
    if ((hidden_at !== null) === (kind === 'hide')) {
      const state = hidden_at === null ? 'not hidden' : `hidden since ${hidden_at}`;
      throw new DomainError('state_conflict', `The operator "${name}" is ${state}`);
    }
    setSeenAs({ store, now }, { ...operator, hidden_at: kind === 'hide' ? created_at : null });
    audit(store, {
      action: kind,
      subject: codename,
      operator_id,
      reason,
      now: at,
      ...(by && { by }),
    });
    const event = kind === 'hide' ? 'account_hidden' : 'account_shown';
    store.accountEvents.add({ operator_id, kind: event, detail: reason, created_at });
    const payload = { operator: public_id, by: 'keeper', reason };
    const { log_index } = store.log.append({ kind, operator_id, payload, now: at });
    // An account without log entries has no counts.
    if (operator.log_index > 0) store.operators.touch(operator_id, log_index);
    return log_index;
  });
}
