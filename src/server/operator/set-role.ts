import { DomainError } from '#core/domain/text/errors.ts';
import type { Role } from '#core/schema/account.ts';
import type { Operator } from '#db/operators.ts';
import { type Actor, audit } from '../process/admin-actions.ts';
import type { Board } from '../context.ts';
import { operatorCalled } from './visibility.ts';

interface RoleChange {
  /** The codename, or the public alias. */
  name: string;
  role: Role;
  by?: Actor;
}

/**
 * Changes what an account may do on the admin pages. Returns the account's codename and its earlier role.
 *
 * @throws {DomainError} `codename_unknown`, `state_conflict` if it has this role, or `last_admin`.
 */
export function setRole({ store, now }: Board, { name, role, by }: RoleChange) {
  return store.transaction(() => {
    const operator = operatorCalled({ store, now }, name);
    if (!operator) throw new DomainError('codename_unknown', `No operator has the name "${name}"`);
    const { codename, role: earlier } = operator;
    if (earlier === role) {
      throw new DomainError('state_conflict', `The role of ${codename} is already ${role}`);
    }
    if (role !== 'admin') refuseLastAdmin({ store }, operator);
    giveRole({ store, now }, operator, { role, ...(by && { by }) });
    return { codename, earlier };
  });
}

/** Stores a role that an account does not have yet. Call it inside a transaction. */
export function giveRole(
  { store, now }: Board,
  { id: operator_id, codename, role: earlier }: Operator,
  { role, by }: Pick<RoleChange, 'by' | 'role'>,
): void {
  const at = now();
  const detail = `${earlier} → ${role}`;
  const about = { subject: codename, operator_id, reason: detail };
  store.operators.setRole(operator_id, role);
  audit(store, { action: 'role', ...about, now: at, ...(by && { by }) });
  const created_at = at.toISOString();
  store.accountEvents.add({ operator_id, kind: 'role_changed', detail, created_at });
}

/**
 * Rejects a change after which the board would have no admin.
 *
 * @throws {DomainError} `last_admin`, with what to do.
 */
export function refuseLastAdmin(
  { store }: Pick<Board, 'store'>,
  { codename, role }: Pick<Operator, 'codename' | 'role'>,
): void {
  if (role !== 'admin' || store.operators.admins() > 1) return;
  throw new DomainError('last_admin', `${codename} is the only admin of this board`);
}
