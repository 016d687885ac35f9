import { DomainError } from '#core/domain/errors.ts';
import type { AppContext } from '../context.ts';
import { sha256Hex } from '../identity/crypto.ts';

/**
 * Uses a login link up and returns the `Set-Cookie` value of a new session, in place of the one that
 * the browser's cookie carried.
 *
 * @throws {DomainError} `login_link_invalid` if it is unknown, used or expired.
 */
export async function signInWithLink(
  ctx: AppContext,
  token: string,
  cookieHeader: string | null,
): Promise<string> {
  const operatorId = ctx.store.loginLinks.use(sha256Hex(token), ctx.now().toISOString());
  if (operatorId === undefined) {
    throw new DomainError('login_link_invalid', 'The link is unknown, used or expired');
  }
  await ctx.sessions.end(cookieHeader);
  return ctx.sessions.start(operatorId);
}
