import type { Profile } from '#core/schema/profile.ts';
import type { AppContext } from '../context.ts';
import { operatorOf } from './operator.ts';
import { isProfileShown, ownProfile } from './profile.ts';

/**
 * An operator's profile as its owner sees it.
 *
 * @throws {DomainError} `not_found` if the account was deleted.
 */
export function readProfile(ctx: AppContext, operator_id: number): Profile {
  return ownProfile(ctx, operatorOf(ctx, operator_id));
}

/** An operator's own picture, whether others can see it or not. */
export function readOwnAvatar({ store }: AppContext, operator_id: number): Uint8Array | null {
  return store.avatars.ofOperator(operator_id)?.body ?? null;
}

/** The picture with this hash, if an operator shows it publicly; otherwise null. */
export function readShownAvatar({ store }: AppContext, hash: string): Uint8Array | null {
  const shown = store.avatars.owners(hash).find((id) => {
    const owner = store.operators.byId(id);
    return owner !== undefined && isProfileShown(owner);
  });
  return shown === undefined ? null : (store.avatars.ofOperator(shown)?.body ?? null);
}
