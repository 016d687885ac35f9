/** Sessions that an external provider began. They end when the provider revokes the person's grant. */
import { DAY_MS } from '#core/domain/counting/day.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '#server/context.ts';
import { refresh } from '../provider/relying-party.ts';
import { readSecret, seal, unseal } from '#server/process/secrets.ts';

const CHECK_MS = DAY_MS;

export async function keepUpstreamToken(ctx: AppContext, setCookie: string, refreshToken: string) {
  const session = await ctx.sessions.read(setCookie.split(';')[0] ?? '');
  if (session) put(ctx, session.session_id, refreshToken);
}

/**
 * Whether a session may continue. A session ends if its grant was revoked at the provider. A provider that
 * does not respond ends no sessions.
 */
export async function isStillWelcome(
  ctx: AppContext,
  { operator_id, session_id }: { operator_id: number; session_id: string },
): Promise<boolean> {
  const held = ctx.provider.interactions
    ? undefined
    : ctx.store.upstreamTokens.ofSession(session_id);
  if (!held || ctx.now().getTime() - Date.parse(held.checked_at) < CHECK_MS) return true;
  const now = ctx.now().toISOString();
  // A refresh token may be valid only once, so only one request uses it.
  if (!ctx.store.upstreamTokens.claim(session_id, held.checked_at, now)) return true;
  const token = unseal(secretOf(ctx), held.refresh_token, session_id);
  const next = token === null ? null : await askAgain(ctx, token);
  if (next === null) ctx.store.sessions.revoke(operator_id, session_id);
  else put(ctx, session_id, next);
  return next !== null;
}

async function askAgain({ provider }: AppContext, token: string): Promise<string | null> {
  try {
    return await refresh(provider.authority, token);
  } catch (error) {
    if (error instanceof DomainError) return token;
    throw error;
  }
}

function put(ctx: AppContext, session_id: string, token: string): void {
  const refresh_token = seal(secretOf(ctx), token, session_id);
  ctx.store.upstreamTokens.put({ session_id, refresh_token, checked_at: ctx.now().toISOString() });
}

function secretOf({ store, now }: AppContext): Uint8Array {
  return readSecret(store, 'tokens', now());
}
