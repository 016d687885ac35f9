import { DomainError } from '#core/domain/text/errors.ts';
import { METHOD_NAMES } from '#core/domain/account/sign-in-method.ts';
import { noteSignIn } from './accounts.ts';
import type { AppContext } from '#server/context.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { type SigningIn, beginSession } from './sign-in.ts';

/**
 * Uses a login link up and returns the `Set-Cookie` value of a new session, in place of the one that
 * the browser's cookie carried.
 *
 * @throws {DomainError} `login_link_invalid` if it is unknown, used or expired.
 */
export async function useLoginLink(
  ctx: AppContext,
  token: string,
  browser: SigningIn,
): Promise<string> {
  const operator_id = ctx.store.transaction(() => {
    const owner = ctx.store.loginLinks.use(sha256Hex(token), ctx.now().toISOString());
    if (owner !== undefined) noteSignIn(ctx, owner, METHOD_NAMES.login_link);
    return owner;
  });
  if (operator_id === undefined) {
    throw new DomainError('login_link_invalid', 'The link is unknown, used or expired');
  }
  return beginSession(ctx, operator_id, 'login_link', browser);
}
