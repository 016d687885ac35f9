import { METHOD_NAMES } from '#core/domain/sign-in-method.ts';
import type { SignInMethod } from '#core/schema/account.ts';
import type { AppContext } from '../context.ts';

/** A sign-in method as its owner sees it. */
export interface LinkedMethod {
  id: string;
  method: SignInMethod;
  /** What the method is called, and what its owner is called there. */
  name: string;
  label: string;
  linked_at: string;
  last_used_at: string | null;
}

/** The methods that an account can be signed in to with. */
export function readAccountMethods({ store }: AppContext, operator_id: number): LinkedMethod[] {
  return store.identities.ofOperator(operator_id).map((row) => {
    const { id, method, label, linked_at, last_used_at } = row;
    return { id, method, name: METHOD_NAMES[method], label, linked_at, last_used_at };
  });
}

/** What happened to an account last, newest first. */
export function readAccountEvents({ store }: AppContext, operator_id: number) {
  return store.accountEvents.ofOperator(operator_id);
}
