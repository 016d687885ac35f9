import type { Profile } from '#core/schema/profile.ts';
import type { AppContext } from '../context.ts';
import { operatorOf } from './operator.ts';
import { isProfileShown, ownProfile } from './profile.ts';

/**
 * Removes an operator's picture, if there is one. Kept when the public does not see it any more.
 *
 * @throws {DomainError} `not_found` if the account was deleted meanwhile.
 */
export async function removeAvatar(ctx: AppContext, operator_id: number): Promise<Profile> {
  const operator = operatorOf(ctx, operator_id);
  const removed = ctx.store.avatars.remove(operator_id);
  const isSeen = removed && isProfileShown(operator) && operator.log_index > 0;
  if (isSeen) await ctx.publications.publishNow({ hides: true });
  return ownProfile(ctx, operator);
}
