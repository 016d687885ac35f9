import { returnPath } from '#core/domain/account/return-path.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { SessionMethod } from '#core/schema/account.ts';
import type { AppContext } from '#server/context.ts';
import { hostCookie } from '../cookies.ts';
import {
  type Arrival,
  type Transaction,
  beginSignIn,
  exchangeCode,
} from '../provider/relying-party.ts';
import { externalSubject } from '../access-tokens.ts';
import { findOrCreateAccount, lastMethod } from './accounts.ts';
import { CALLBACK_PATH, type SignInResult, type SignInBrowser, beginSession } from './sign-in.ts';
import { keepUpstreamToken } from './upstream-session.ts';

const SETTINGS = '/settings';

export function whereTo(returnTo: string | null): string {
  return returnPath(returnTo ?? '') ?? SETTINGS;
}

/**
 * Returns where to send a browser to sign in with the provider.
 *
 * @param isAgain Whether the person must prove who they are, even with a session.
 */
export async function visitProvider(
  { provider, config: { baseUrl } }: AppContext,
  returnTo: string | null,
  isAgain = false,
): Promise<SignInResult> {
  const callback = baseUrl + CALLBACK_PATH;
  const { authority } = provider;
  const { location, transaction } = await beginSignIn(authority, {
    callback,
    returnTo: whereTo(returnTo),
    isAgain,
  });
  return { location, cookies: [setTransaction(transaction, baseUrl)] };
}

/** Completes a sign-in when the browser returns from the provider. The new session replaces its current one. */
export async function returnFromProvider(ctx: AppContext, url: URL, browser: SignInBrowser) {
  const { baseUrl } = ctx.config;
  const transaction = readTransaction(browser.cookieHeader, baseUrl);
  if (!transaction) {
    const detail =
      'This sign-in started in another browser, was already completed, or took too long';
    throw new DomainError('sign_in_failed', detail);
  }
  const callback = baseUrl + CALLBACK_PATH;
  const arrival = await exchangeCode(ctx.provider.authority, callback, { url, transaction });
  const { operator_id, method } = accountOf(ctx, arrival);
  const signedInAt = arrival.signedInAt ?? ctx.now();
  const session = await beginSession(ctx, operator_id, method, browser, signedInAt);
  if (arrival.refreshToken !== null) await keepUpstreamToken(ctx, session, arrival.refreshToken);
  return {
    location: returnPath(transaction.returnTo) ?? '/',
    cookies: [transactionCookie(baseUrl).set('', 0), session],
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

/** How long a sign-in may take, in seconds. This is a little longer than the provider waits. */
export const TRANSACTION_SECONDS = 40 * 60;

export const transactionCookie = (baseUrl: string) => hostCookie(baseUrl, 'oauth_tx');

function setTransaction(transaction: Transaction, baseUrl: string): string {
  const value = Buffer.from(JSON.stringify(transaction)).toString('base64url');
  return transactionCookie(baseUrl).set(value, TRANSACTION_SECONDS);
}

function readTransaction(header: string | null, baseUrl: string): Transaction | null {
  const value = transactionCookie(baseUrl).read(header);
  if (!value) return null;
  try {
    const text = Buffer.from(value, 'base64url').toString();
    const { state, nonce, verifier, returnTo } = JSON.parse(text) as Record<string, unknown>;
    const parts = [state, nonce, verifier, returnTo];
    if (!parts.every((part) => typeof part === 'string' && part !== '')) return null;
    return { state, nonce, verifier, returnTo } as Transaction;
  } catch {
    return null;
  }
}
