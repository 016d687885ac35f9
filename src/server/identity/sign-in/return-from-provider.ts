import { DomainError } from '#core/domain/text/errors.ts';
import { returnPath } from '#core/domain/account/return-path.ts';
import type { SessionMethod } from '#core/schema/account.ts';
import { findOrCreateAccount, lastMethod } from './accounts.ts';
import type { AppContext } from '#server/context.ts';
import { type Arrival, exchangeCode } from '../provider/relying-party.ts';
import { clearTransaction, readTransaction } from './transaction-cookie.ts';
import { CALLBACK_PATH, type SignedIn, type SigningIn, beginSession } from './sign-in.ts';
import { externalSubject } from '../token-holder.ts';
import { keepUpstreamToken } from './upstream-session.ts';

/**
 * Takes a browser back from the provider and starts a session, in place of the one that it had.
 *
 * @param url The address that the provider sent it to.
 * @throws {DomainError} `sign_in_failed` if it does not fit how the browser left, or the provider said no.
 * @throws {DomainError} `method_unavailable` if the provider does not answer.
 */
export async function returnFromProvider(
  ctx: AppContext,
  url: URL,
  browser: SigningIn,
): Promise<SignedIn> {
  const { baseUrl } = ctx.config;
  const transaction = readTransaction(browser.cookieHeader, baseUrl);
  if (!transaction) {
    const detail = 'It was not begun in this browser, is over already, or took too long';
    throw new DomainError('sign_in_failed', detail);
  }
  const callback = baseUrl + CALLBACK_PATH;
  const arrival = await exchangeCode(ctx.provider.authority, callback, { url, transaction });
  const { operator_id, method } = accountOf(ctx, arrival);
  const session = await beginSession(ctx, operator_id, method, browser);
  if (arrival.refreshToken !== null) await keepUpstreamToken(ctx, session, arrival.refreshToken);
  return {
    location: returnPath(transaction.returnTo) ?? '/',
    cookies: [clearTransaction(baseUrl), session],
  };
}

function accountOf(
  ctx: AppContext,
  { subject, label }: Arrival,
): { operator_id: number; method: SessionMethod | null } {
  if (!ctx.provider.interactions) {
    const identity = { method: 'oidc' as const, subject: externalSubject(ctx, subject), label };
    const { operator_id } = ctx.store.transaction(() => findOrCreateAccount(ctx, identity));
    return { operator_id, method: 'oidc' };
  }
  const operator = ctx.store.operators.byPublicId(subject);
  if (!operator) throw new DomainError('sign_in_failed', 'The account was deleted');
  return { operator_id: operator.id, method: lastMethod(ctx, operator.id) };
}
