import type { LinkedMethod } from '#core/schema/account.ts';
import type { AppContext } from '#server/context.ts';

/** The methods that an account can be signed in to with. */
export function readAccountMethods({ store }: AppContext, operator_id: number): LinkedMethod[] {
  return store.identities.ofOperator(operator_id).map((row) => {
    const { id, method, label, linked_at, last_used_at } = row;
    return { id, method, label, linked_at, last_used_at };
  });
}

/** What happened to an account last, newest first. */
export function readAccountEvents({ store }: AppContext, operator_id: number) {
  return store.accountEvents.ofOperator(operator_id);
}
