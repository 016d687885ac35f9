import type { SessionState } from '#core/contract/session.ts';
import type { Caller } from '#core/schema/session.ts';
import type { AppContext } from '../context.ts';

export function readSession(ctx: AppContext, caller: Caller | null): SessionState {
  const operator = caller && ctx.store.operators.byId(caller.operator_id);
  if (!operator) return { signedIn: false, operator: null };
  const { codename } = operator;
  return { signedIn: true, operator: { codename, display_name: null, avatar_url: null } };
}
