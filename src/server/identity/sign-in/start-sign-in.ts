import type { SignInPurpose } from '#core/schema/account.ts';
import type { AppContext } from '#server/context.ts';
import { bindBrowser } from './browser.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { departure } from './upstream.ts';
import { type SignedIn, checkPurpose } from './sign-in.ts';
import { upstreamSite } from './upstream-site.ts';

/** Somebody may be away at another site so long, in milliseconds (10 minutes). */
const ATTEMPT_TTL_MS = 10 * 60 * 1000;

/**
 * Sends a browser to another site to sign in there; only this browser may come back, and once.
 *
 * @param name The site.
 * @throws {DomainError} `not_found` if the keeper did not set the site up.
 * @throws {DomainError} `interaction_expired` if the provider does not ask this browser.
 */
export async function startSignIn(
  ctx: AppContext,
  name: string,
  purpose: SignInPurpose,
  cookieHeader: string | null,
): Promise<SignedIn> {
  const site = upstreamSite(ctx, name);
  await checkPurpose(ctx, purpose, cookieHeader);
  const { url, state, verifier } = departure(site);
  const { browser, setCookie } = bindBrowser(cookieHeader, ctx.config.baseUrl);
  const nowMs = ctx.now().getTime();
  const attempt = {
    ...browser.hide(purpose),
    state_hash: sha256Hex(state),
    browser_hash: browser.browser_hash,
    method: site.name,
    code_verifier: verifier,
    expires_at: new Date(nowMs + ATTEMPT_TTL_MS).toISOString(),
  };
  ctx.store.signInAttempts.add(attempt);
  return { location: url, cookies: [setCookie] };
}
