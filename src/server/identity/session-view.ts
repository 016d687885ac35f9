import type { SessionState } from '#core/contract/sessions.ts';
import type { Caller } from '#core/schema/account.ts';
import type { AppContext } from '../context.ts';
import { avatarUrl } from '../operator/profile.ts';

export function readSession(ctx: AppContext, caller: Caller | null): SessionState {
  const operator = caller && ctx.store.operators.byId(caller.operator_id);
  if (!operator) return { signedIn: false, operator: null };
  const { codename, display_name } = operator;
  const avatar_url = avatarUrl(ctx, operator);
  return { signedIn: true, operator: { codename, display_name, avatar_url } };
}
