import { lastMethod } from './accounts.ts';
import type { AppContext } from '#server/context.ts';
import type { Interaction } from '../provider/provider.ts';
import { readConsentRequest } from '../provider/consent-request.ts';
import { operatorHere } from '#server/operator/operator.ts';
import { type SignInResult, type SignInBrowser, beginSession } from './sign-in.ts';

/**
 * Where an authorization goes on that waits for a sign-in: as who just signed in by one of the methods, or else
 * as who is signed in at the board. Null if the person has yet to be asked.
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
    const { location, account } = await interactions.redeem(uid, proof);
    return { location, cookies: await sessionFor(ctx, account, interaction, browser) };
  }
  if (prompt === 'consent' || mustAsk) return null;
  const operator = await operatorHere(ctx, cookieHeader);
  if (!operator) return null;
  return { location: await interactions.finishLogin(uid, operator.public_id), cookies: [] };
}

/**
 * Who signs in for an application is signed in at the board too, and so sees it among the own sessions
 * and can end it before the application is let in.
 */
async function sessionFor(
  ctx: AppContext,
  account: string,
  { client, mustAsk }: Interaction,
  browser: SignInBrowser,
): Promise<string[]> {
  // The board's own site starts a session where the browser comes back.
  if (client.isOwn) return [];
  const here = await operatorHere(ctx, browser.cookieHeader);
  if (here?.public_id === account && !mustAsk) return [];
  const operator = ctx.store.operators.byPublicId(account);
  if (!operator) return [];
  return [await beginSession(ctx, operator.id, lastMethod(ctx, operator.id), browser)];
}
