import { DomainError } from '#core/domain/text/errors.ts';
import type { UpstreamName } from '#core/schema/account.ts';
import { subjectOf } from './accounts.ts';
import type { AppContext } from '#server/context.ts';
import { boundBrowser } from './browser.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { arrival } from './upstream.ts';
import { type SignedIn, type SigningIn, settle } from './sign-in.ts';
import { upstreamSite } from './upstream-site.ts';

/** The longest code that a site may give. */
const MAX_CODE_LENGTH = 2000;

/**
 * Takes a browser back that was at another site to sign in.
 *
 * @param query What the site sent along.
 * @throws {DomainError} `sign_in_failed` if it did not leave from here, was back before, or was refused there.
 * @throws {DomainError} `method_unavailable` if the site does not answer as it should.
 */
export async function finishSignIn(
  ctx: AppContext,
  name: string,
  query: URLSearchParams,
  browser: SigningIn,
): Promise<SignedIn> {
  const site = upstreamSite(ctx, name);
  const attempt = takeAttempt(ctx, site.name, query, browser);
  if (query.has('error'))
    throw failed('The other site did not let you in, or you did not allow it');
  const code = query.get('code') ?? '';
  if (code === '' || code.length > MAX_CODE_LENGTH) throw failed('The other site sent no code');
  const user = await arrival(site, code, attempt.code_verifier);
  const subject = subjectOf(ctx, site.name, user.id);
  return settle(ctx, attempt, { method: site.name, subject, label: user.label }, browser);
}

type Attempt = NonNullable<ReturnType<AppContext['store']['signInAttempts']['use']>>;

/** Uses the attempt up whose state the site sent back, if this browser began it. */
function takeAttempt(
  ctx: AppContext,
  method: UpstreamName,
  query: URLSearchParams,
  { cookieHeader }: SigningIn,
): Attempt {
  const state_hash = sha256Hex(query.get('state') ?? '');
  const browser_hash = boundBrowser(cookieHeader, ctx.config.baseUrl)?.browser_hash ?? '';
  const now = ctx.now().toISOString();
  const attempt = ctx.store.signInAttempts.use({ state_hash, browser_hash, method }, now);
  if (attempt) return attempt;
  throw failed('It was not begun in this browser, is over, or took longer than 10 minutes');
}

function failed(detail: string): DomainError {
  return new DomainError('sign_in_failed', detail);
}
