import { lastMethod } from './accounts.ts';
import type { AppContext } from '#server/context.ts';
import type { Interaction } from '../provider/provider.ts';
import { LONG_AGO_MS } from '../provider/interactions.ts';
import { readConsentRequest } from '../provider/consent-request.ts';
import { operatorHere } from '#server/operator/operator.ts';
import { type SignInResult, type SignInBrowser, beginSession } from './sign-in.ts';

/**
 * Continues an authorization that waits for a sign-in, as the person who just signed in with a method, or else as
 * the operator who is signed in to the board. Null if the person has yet to answer.
 */
export async function continueSignIn(
  ctx: AppContext,
  { uid, proof }: { uid: string; proof: string | null },
  browser: SignInBrowser,
): Promise<SignInResult | null> {
  const { cookieHeader } = browser;
  const { interactions, interaction } = await readConsentRequest(ctx, { uid, cookieHeader });
  const { prompt, mustAsk } = interaction;
  if (prompt === 'login' && proof !== null) {
    const { location, ...login } = await interactions.redeem(uid, proof);
    return { location, cookies: await sessionFor(ctx, login, interaction, browser) };
  }
  if (prompt === 'consent' || mustAsk) return null;
  const operator = await operatorHere(ctx, cookieHeader);
  if (!operator) return null;
  // The session may have begun long after the operator proved who they are.
  const session = await ctx.sessions.read(cookieHeader);
  const signedInAt = new Date(session?.signed_in_at ?? LONG_AGO_MS);
  const location = await interactions.finishLogin(uid, operator.public_id, signedInAt);
  return { location, cookies: [] };
}

/**
 * Also signs the operator in to the board after a sign-in for an app. The operator then sees this session in the
 * settings and can end it before allowing access.
 */
async function sessionFor(
  ctx: AppContext,
  { account, signedInAt }: { account: string; signedInAt: Date },
  { client, mustAsk }: Interaction,
  browser: SignInBrowser,
): Promise<string[]> {
  // The board's own site starts its session in the callback.
  if (client.isOwn) return [];
  const here = await operatorHere(ctx, browser.cookieHeader);
  if (here?.public_id === account && !mustAsk) return [];
  const operator = ctx.store.operators.byPublicId(account);
  if (!operator) return [];
  const method = lastMethod(ctx, operator.id);
  return [await beginSession(ctx, operator.id, method, browser, signedInAt)];
}
