import { DomainError } from '#core/domain/text/errors.ts';
import type { Board } from '../context.ts';
import { operatorCalled } from '../operator/visibility.ts';
import { type Actor, audit } from '../process/admin-actions.ts';

interface EndRequest {
  /** The codename, or the public alias. */
  name: string;
  by?: Actor;
}

/**
 * Signs an operator out in all browsers, and cancels unused sign-in links. Devices and connected apps keep working.
 * Returns the codename and the number of browsers.
 *
 * @throws {DomainError} `codename_unknown`.
 */
export function endSessions({ store, now }: Board, { name, by }: EndRequest) {
  return store.transaction(() => {
    const operator = operatorCalled({ store, now }, name);
    if (!operator) throw new DomainError('codename_unknown', `No operator has the name "${name}"`);
    const { id: operator_id, codename } = operator;
    const at = now();
    const created_at = at.toISOString();
    const ended = store.sessions.ofOperator(operator_id).length;
    store.sessions.removeOfOperator(operator_id);
    store.loginLinks.removeOfOperator(operator_id);
    const about = { subject: codename, operator_id, reason: null };
    audit(store, { action: 'end_sessions', ...about, now: at, ...(by && { by }) });
    const detail = 'By an admin';
    store.accountEvents.add({ operator_id, kind: 'sessions_ended', detail, created_at });
    return { codename, ended };
  });
}
