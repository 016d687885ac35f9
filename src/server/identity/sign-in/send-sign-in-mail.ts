import { DomainError } from '#core/domain/text/errors.ts';
import { isExpected } from '#core/domain/account/joining.ts';
import type { SignInPurpose } from '#core/schema/account.ts';
import { subjectOf } from './accounts.ts';
import type { AppContext } from '#server/context.ts';
import { acceptedInvitation } from '../joining/newcomers.ts';
import { bindBrowser, codeHash } from './browser.ts';
import { randomSecret, sha256Hex } from '#server/process/crypto.ts';
import { isMailboxKnown } from './mailbox-cookie.ts';
import { readSecret } from '#server/process/secrets.ts';
import { type Mailer, mailRefusal, readMailbox } from '#server/mail/mailer.ts';
import { checkPurpose } from './sign-in.ts';

/** How long a link is valid, in milliseconds (15 minutes). */
const LINK_TTL_MS = 15 * 60 * 1000;

interface MailRequest {
  address: string;
  purpose: SignInPurpose;
  cookieHeader: string | null;
  /** The key of the visitor's rate limits. */
  client: string;
  mailer: Mailer | null;
}

/**
 * Emails a link that signs in or links the mailbox. Returns the `Set-Cookie` value that identifies the browser that
 * requested it. The result does not depend on whether the mailbox has an account.
 */
export async function sendSignInMail(ctx: AppContext, request: MailRequest): Promise<string> {
  const { purpose, mailer } = request;
  if (!mailer)
    throw new DomainError(
      'method_unavailable',
      'This board cannot send email. Use another sign-in method',
    );
  await checkPurpose(ctx, purpose, request.cookieHeader);
  const { address, label } = readMailbox(request.address);
  const subject = subjectOf(ctx, 'email_magic_link', address);
  countMail(ctx, subject, request);
  const { browser, setCookie } = bindBrowser(request.cookieHeader, ctx.config.baseUrl);
  const { browser_hash } = browser;
  const token = randomSecret();
  const token_hash = sha256Hex(token);
  const code_hash = codeHash(token, browser.codeFor(token_hash));
  const created_at = ctx.now().toISOString();
  const expires_at = new Date(ctx.now().getTime() + LINK_TTL_MS).toISOString();
  const row = {
    ...browser.hide(purpose),
    ...{ token_hash, browser_hash, code_hash, subject, label },
    is_expected: isExpected(ctx.config.access.rules, { mailbox: address })
      ? (1 as const)
      : (0 as const),
    invitation_hash: acceptedInvitation(ctx.config.baseUrl, request.cookieHeader),
  };
  ctx.store.mailLinks.add({ ...row, created_at, expires_at });
  try {
    await mailer.send({ to: address, ...textsOf(ctx, purpose, token) });
  } catch (error) {
    ctx.store.mailLinks.remove(token_hash);
    throw notSent(ctx, error);
  }
  return setCookie;
}

/**
 * Limits emails so that no client can flood a mailbox. A browser that has signed in with the mailbox before has
 * a limit of its own, so that others cannot keep the owner from signing in.
 */
function countMail(ctx: AppContext, subject: string, request: MailRequest): void {
  const { limiter } = ctx;
  const { client } = request;
  try {
    limiter.take('mail', client);
    const share = limiter.limits.mailbox.quota / 4;
    limiter.take('mailbox', `${subject} ${client}`, { quota: share });
    limiter.take('mailbox', subject);
  } catch (error) {
    if (!isKnownFor(ctx, subject, request)) throw error;
    limiter.take('mailbox_known', subject);
  }
}

function isKnownFor(ctx: AppContext, subject: string, { cookieHeader }: MailRequest): boolean {
  const { store, config } = ctx;
  const linked = store.identities.bySubject(subject);
  const secret = readSecret(store, 'mailboxes', ctx.now());
  const browser = { cookieHeader, baseUrl: config.baseUrl };
  // Mailboxes without an account are compared too, so that timing does not reveal which ones have one.
  const isKnown = isMailboxKnown(secret, { subject, id: linked?.id ?? '' }, browser);
  return isKnown && linked !== undefined;
}

function textsOf({ config, store }: AppContext, { operator_id }: SignInPurpose, token: string) {
  const codename = operator_id === null ? null : store.operators.byId(operator_id)?.codename;
  const { name } = config.site;
  const action = codename
    ? `To link this email address to your account ${codename} on ${name}, open this link:`
    : `To sign in to ${name}, open this link:`;
  const browser = codename
    ? 'Open it in the browser in which you requested it.'
    : 'If you open it in a different browser, you also need the six-digit code from the page where you requested it.';
  return {
    subject: codename ? `Link your email address to ${name}` : `Sign in to ${name}`,
    text: [
      action,
      `${config.baseUrl}/login/mail/link?token=${token}`,
      `The link works once and is valid for 15 minutes. ${browser}`,
      'If you did not request this email, ignore it and do not forward it. Nothing will change.\n',
    ].join('\n\n'),
  };
}

function notSent({ logger }: AppContext, error: unknown): DomainError {
  logger.warn('mail_not_sent', mailRefusal(error));
  return new DomainError('method_unavailable', 'The email could not be sent');
}
