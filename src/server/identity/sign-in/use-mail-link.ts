import { DomainError } from '#core/domain/text/errors.ts';
import { type MethodIdentity, findOrCreateAccount } from './accounts.ts';
import type { AppContext } from '#server/context.ts';
import { acceptedInvitation } from '../joining/newcomers.ts';
import { boundBrowser, codeHash } from './browser.ts';
import { sha256Hex } from '#server/process/crypto.ts';
import { rememberMailbox } from './mailbox-cookie.ts';
import { readSecret } from '#server/process/secrets.ts';
import { type SignInResult, type SignInBrowser, openSettings, settle } from './sign-in.ts';

/** A link becomes invalid after this many wrong codes. */
const MAX_CODE_TRIES = 5;

/**
 * Uses an emailed link. In the browser that requested it, the link continues the original request. Another browser
 * must provide the code that the first one shows, and is then signed in. This way, nobody is signed in to another
 * person's account by a forwarded link.
 */
export async function useMailLink(
  ctx: AppContext,
  { token, code }: { token: string; code: string },
  browser: SignInBrowser,
): Promise<SignInResult> {
  const here = boundBrowser(browser.cookieHeader, ctx.config.baseUrl)?.browser_hash ?? '';
  const { link, fault } = ctx.store.transaction(() => take(ctx, { token, code, here }));
  if (fault !== null) throw new DomainError('sign_in_failed', fault);
  const identity: MethodIdentity = {
    method: 'email_magic_link',
    subject: link.subject,
    label: link.label,
  };
  const signedIn = await goOn(ctx, link, identity, browser, here);
  const known = rememberIn(ctx, link.subject, browser);
  return { ...signedIn, cookies: [...signedIn.cookies, ...known] };
}

async function goOn(
  ctx: AppContext,
  link: MailLink,
  identity: MethodIdentity,
  browser: SignInBrowser,
  here: string,
): Promise<SignInResult> {
  const { is_expected, invitation_hash } = link;
  const accepted = acceptedInvitation(ctx.config.baseUrl, browser.cookieHeader);
  const invitationHash = invitation_hash ?? accepted;
  const newcomer = { isExpected: is_expected === 1, invitationHash };
  if (link.browser_hash === here) return settle(ctx, link, identity, browser, newcomer);
  const { operator_id } = ctx.store.transaction(() => findOrCreateAccount(ctx, identity, newcomer));
  return openSettings(ctx, operator_id, identity.method, browser);
}

/** The `Set-Cookie` value that gives this browser an email limit of its own for the mailbox. */
function rememberIn(
  { store, now, config }: AppContext,
  subject: string,
  { cookieHeader }: SignInBrowser,
): string[] {
  const linked = store.identities.bySubject(subject);
  if (!linked) return [];
  const secret = readSecret(store, 'mailboxes', now());
  return [rememberMailbox(secret, linked, { cookieHeader, baseUrl: config.baseUrl })];
}

type MailLink = NonNullable<ReturnType<AppContext['store']['mailLinks']['byToken']>>;
type Taken = { link: MailLink; fault: null } | { link: null; fault: string };

/** Takes the link, or returns what is wrong. Wrong codes are counted. */
function take(
  { store, now }: AppContext,
  { token, code, here }: { token: string; code: string; here: string },
): Taken {
  const link = store.mailLinks.byToken(sha256Hex(token), now().toISOString());
  if (!link) return { link: null, fault: 'The link is unknown, was already used, or has expired' };
  if (link.browser_hash !== here) {
    const fault = judgeElsewhere(store, link, codeHash(token, code.replaceAll(/[\s-]/g, '')));
    if (fault !== null) return { link: null, fault };
  }
  store.mailLinks.removeOfSubject(link.subject);
  return { link, fault: null };
}

function judgeElsewhere(
  store: AppContext['store'],
  { token_hash, operator_id, code_hash }: MailLink,
  hash: string,
): string | null {
  if (operator_id !== null) return 'Open the link in the browser in which you requested it';
  if (hash === code_hash) return null;
  const left = MAX_CODE_TRIES - store.mailLinks.countTry(token_hash);
  if (left > 0)
    return `That code is wrong. Enter the code that the other browser shows (${left} ${left === 1 ? 'try' : 'tries'} left)`;
  store.mailLinks.remove(token_hash);
  return 'You entered too many wrong codes, so the link is no longer valid';
}
