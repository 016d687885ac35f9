import { DomainError } from '#core/domain/text/errors.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { AdminReason } from '#core/schema/moderation.ts';
import { audit } from '../process/admin-actions.ts';
import type { Board } from '../context.ts';
import { operatorCalled, setSeenAs } from './visibility.ts';

interface HidingRequest {
  kind: 'hide' | 'unhide';
  /** The codename, or the alias that the public sees. */
  name: string;
  /** What the log tells everybody once the operator is open to them. */
  reason: string;
}

/** Shows an operator to nobody, whatever its privacy mode, or as that has it again. A running server publishes it. */
export function hideOperator({ store, now }: Board, { kind, name, ...given }: HidingRequest) {
  const reason = parseAs(AdminReason, given.reason, 'The reason');
  const at = now();
  const created_at = at.toISOString();
  return store.transaction(() => {
    const operator = operatorCalled({ store, now }, name);
    if (!operator) throw new DomainError('not_found', `No operator is called "${name}"`);
    const { id: operator_id, public_id, codename, hidden_at } = operator;
    if ((hidden_at !== null) === (kind === 'hide')) {
      const state = hidden_at === null ? 'not hidden' : `hidden since ${hidden_at}`;
      throw new DomainError('state_conflict', `The operator "${name}" is ${state}`);
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
