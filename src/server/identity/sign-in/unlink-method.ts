import { DomainError } from '#core/domain/text/errors.ts';
import { nameOf } from './accounts.ts';
import type { AppContext } from '#server/context.ts';

/**
 * Unlinks a sign-in method from an account. The last one stays: nobody could sign in any more without
 * asking the keeper.
 *
 * @param id The linked method, as its owner's settings name it.
 * @throws {DomainError} `not_found` if the account has no such method.
 * @throws {DomainError} `method_last` if it has no other.
 */
export function unlinkMethod(ctx: AppContext, operator_id: number, id: string): void {
  const { identities, accountEvents } = ctx.store;
  ctx.store.transaction(() => {
    const methods = identities.ofOperator(operator_id);
    const method = methods.find((linked) => linked.id === id);
    if (!method) throw new DomainError('not_found', 'The account has no such sign-in method');
    if (methods.length === 1) {
      throw new DomainError('method_last', `${nameOf(method)} is the only sign-in method`);
    }
    identities.remove(id);
    const created_at = ctx.now().toISOString();
    const detail = nameOf(method);
    accountEvents.add({ operator_id, kind: 'method_unlinked', detail, created_at });
  });
}
