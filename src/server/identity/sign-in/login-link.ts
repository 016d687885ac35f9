import type { AppContext } from '#server/context.ts';
import { sha256Hex } from '#server/process/crypto.ts';

/** The codename that a login link would sign in, or null if it cannot be used. */
export function readLoginLink(ctx: AppContext, token: string): string | null {
  const operatorId = ctx.store.loginLinks.operatorOf(sha256Hex(token), ctx.now().toISOString());
  if (operatorId === undefined) return null;
  return ctx.store.operators.byId(operatorId)?.codename ?? null;
}
