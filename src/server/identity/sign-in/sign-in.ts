/** The steps that all sign-in methods share once a person is recognized. */
import { DomainError } from '#core/domain/text/errors.ts';
import type { SessionMethod, SignInPurpose } from '#core/schema/account.ts';
import { type MethodIdentity, findOrCreateAccount, linkIdentity } from './accounts.ts';
import type { AppContext } from '#server/context.ts';
import { boundBrowser, unbindBrowser } from './browser.ts';
import { consentRequestOver, readConsentRequest } from '../provider/consent-request.ts';

export interface SignInBrowser {
  cookieHeader: string | null;
  userAgent: string | null;
}

export interface SignInResult {
  location: string;
  cookies: string[];
}

export const CALLBACK_PATH = '/auth/callback';

const METHODS_PAGE = '/settings/sign-in';

/**
 * Makes sure that only the browser that the provider asks to sign in can begin a sign-in. Otherwise, a sign-in that
 * somebody else began would sign them in as the person who follows a link.
 */
export async function checkPurpose(
  ctx: AppContext,
  { interaction: uid }: SignInPurpose,
  cookieHeader: string | null,
): Promise<void> {
  if (uid === null) return;
  const { interaction } = await readConsentRequest(ctx, { uid, cookieHeader });
  if (interaction.prompt !== 'login') throw consentRequestOver();
}

/**
 * Completes the purpose of a sign-in for the person who was recognized. Only the browser that began it may get
 * here.
 */
export async function settle(
  ctx: AppContext,
  purpose: SignInPurpose,
  identity: MethodIdentity,
  browser: SignInBrowser,
): Promise<SignInResult> {
  if (purpose.interaction === null) {
    return linkTo(ctx, purpose.operator_id, identity, browser.cookieHeader);
  }
  const { operator_id } = ctx.store.transaction(() => findOrCreateAccount(ctx, identity));
  const here = boundBrowser(browser.cookieHeader, ctx.config.baseUrl);
  const uid = here?.reveal(purpose.interaction) ?? '';
  const location = await goOn(ctx, uid, operator_id);
  if (location === null) return openSettings(ctx, operator_id, identity.method, browser);
  return { location, cookies: [unbindBrowser(ctx.config.baseUrl)] };
}

/** Signs a person in and opens the settings, if there is no authorization to continue. */
export async function openSettings(
  ctx: AppContext,
  operator_id: number,
  method: SessionMethod,
  browser: SignInBrowser,
): Promise<SignInResult> {
  const session = await beginSession(ctx, operator_id, method, browser);
  return { location: '/settings', cookies: [unbindBrowser(ctx.config.baseUrl), session] };
}

/**
 * Starts a session that replaces the browser's current one, and returns its `Set-Cookie` value.
 *
 * @param method Null if it is not known.
 * @param signedInAt When the person proved who they are.
 */
export async function beginSession(
  ctx: AppContext,
  operator_id: number,
  method: SessionMethod | null,
  { cookieHeader, userAgent }: SignInBrowser,
  signedInAt = ctx.now(),
): Promise<string> {
  await ctx.sessions.end(cookieHeader);
  return ctx.sessions.start(operator_id, { method, userAgent, signedInAt });
}

/** Where the authorization that requested the sign-in continues; null if it has expired. */
async function goOn(ctx: AppContext, uid: string, operator_id: number): Promise<string | null> {
  const { interactions } = ctx.provider;
  const operator = ctx.store.operators.byId(operator_id);
  if (!interactions || !operator) return null;
  try {
    return await interactions.finishLogin(uid, operator.public_id, ctx.now());
  } catch (error) {
    if (error instanceof DomainError && error.code === 'interaction_expired') return null;
    throw error;
  }
}

async function linkTo(
  ctx: AppContext,
  operator_id: number,
  identity: MethodIdentity,
  cookieHeader: string | null,
): Promise<SignInResult> {
  const session = await ctx.sessions.read(cookieHeader);
  if (session?.operator_id !== operator_id) {
    const detail =
      'You are no longer signed in to the account that this method was to be linked to';
    throw new DomainError('sign_in_failed', detail);
  }
  ctx.store.transaction(() => linkIdentity(ctx, operator_id, identity));
  return { location: `${METHODS_PAGE}?done=linked`, cookies: [] };
}
