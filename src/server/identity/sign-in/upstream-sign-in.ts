import { DomainError } from '#core/domain/text/errors.ts';
import { type SignInPurpose, UpstreamName } from '#core/schema/account.ts';
import type { AppContext } from '#server/context.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { subjectOf } from './accounts.ts';
import { newcomerOf } from '../joining/newcomers.ts';
import { bindBrowser, boundBrowser } from './browser.ts';
import { type SignInResult, type SignInBrowser, checkPurpose, settle } from './sign-in.ts';
import { type UpstreamSite, arrival, departure } from './upstream.ts';

/** How long a sign-in at another site may take, in milliseconds (10 minutes). */
const ATTEMPT_TTL_MS = 10 * 60 * 1000;

/** Sends a browser to another site to sign in. Only this browser may return, and only once. */
export async function startSignIn(
  ctx: AppContext,
  name: string,
  purpose: SignInPurpose,
  cookieHeader: string | null,
): Promise<SignInResult> {
  const site = upstreamSite(ctx, name);
  await checkPurpose(ctx, purpose, cookieHeader);
  const { url, state, verifier } = departure(site, ctx.config.access.rules.githubOrganizations);
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

const MAX_CODE_LENGTH = 2000;

/** Completes a sign-in when the browser returns from another site. */
export async function finishSignIn(
  ctx: AppContext,
  name: string,
  query: URLSearchParams,
  browser: SignInBrowser,
): Promise<SignInResult> {
  const site = upstreamSite(ctx, name);
  const attempt = takeAttempt(ctx, site.name, query, browser);
  if (query.has('error')) throw failed('You canceled the sign-in, or the other site denied it');
  const code = query.get('code') ?? '';
  if (code === '' || code.length > MAX_CODE_LENGTH)
    throw failed('The other site did not send a valid code');
  const { githubOrganizations } = ctx.config.access.rules;
  const user = await arrival(site, code, attempt.code_verifier, githubOrganizations);
  const subject = subjectOf(ctx, site.name, user.id);
  const newcomer = newcomerOf(ctx, browser.cookieHeader, user);
  return settle(ctx, attempt, { method: site.name, subject, label: user.label }, browser, newcomer);
}

type Attempt = NonNullable<ReturnType<AppContext['store']['signInAttempts']['use']>>;

/** Uses the attempt whose state the site sent back, if this browser began it. */
function takeAttempt(
  ctx: AppContext,
  method: UpstreamName,
  query: URLSearchParams,
  { cookieHeader }: SignInBrowser,
): Attempt {
  const state_hash = sha256Hex(query.get('state') ?? '');
  const browser_hash = boundBrowser(cookieHeader, ctx.config.baseUrl)?.browser_hash ?? '';
  const now = ctx.now().toISOString();
  const attempt = ctx.store.signInAttempts.use({ state_hash, browser_hash, method }, now);
  if (attempt) return attempt;
  throw failed(
    'This sign-in started in another browser, was already completed, or took longer than 10 minutes',
  );
}

function failed(detail: string): DomainError {
  return new DomainError('sign_in_failed', detail);
}

/** A site to sign in with, as the admin configured it. */
function upstreamSite({ config }: AppContext, name: string): UpstreamSite {
  const site = UpstreamName.safeParse(name).data;
  const settings = site && config.signIn[site];
  if (!settings || config.signIn.authority) {
    throw new DomainError('not_found', 'This board does not offer sign-in with that site');
  }
  return { name: site, ...settings, redirectUri: `${config.baseUrl}/login/${site}/callback` };
}
