import { DomainError } from '#core/domain/text/errors.ts';
import type { SignInPurpose } from '#core/schema/account.ts';
import { subjectOf } from './accounts.ts';
import type { AppContext } from '#server/context.ts';
import { bindBrowser, codeHash } from './browser.ts';
import { randomSecret, sha256Hex } from '#server/process/crypto.ts';
import { isMailboxKnown } from './mailbox-cookie.ts';
import { readSecret } from '#server/process/secrets.ts';
import { type Mailer, mailRefusal, readMailbox } from '#server/mail/mailer.ts';
import { checkPurpose } from './sign-in.ts';

/** How long a link can be used, in milliseconds (15 minutes). */
const LINK_TTL_MS = 15 * 60 * 1000;

interface MailRequest {
  address: string;
  purpose: SignInPurpose;
  cookieHeader: string | null;
  /** What the visitor's limits are counted by. */
  client: string;
  mailer: Mailer | null;
}

/**
 * Mails a link that signs in, or links the mailbox, and returns the `Set-Cookie` value by which the browser that
 * asked is known again. Nothing here depends on whether the mailbox has an account.
 */
export async function sendSignInMail(ctx: AppContext, request: MailRequest): Promise<string> {
  const { purpose, mailer } = request;
  if (!mailer) throw new DomainError('method_unavailable', 'This board sends no mail');
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
  const row = { ...browser.hide(purpose), token_hash, browser_hash, code_hash, subject, label };
  ctx.store.mailLinks.add({ ...row, created_at, expires_at });
  try {
    await mailer.send({ to: address, ...wordsOf(ctx, purpose, token) });
  } catch (error) {
    ctx.store.mailLinks.remove(token_hash);
    throw notSent(ctx, error);
  }
  return setCookie;
}

/**
 * One client alone cannot fill a mailbox, and all of them together cannot keep its owner from signing in:
 * a browser that signed in with the mailbox before has a share of its own.
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
  // A mailbox without account is compared as well, so that time does not show which it is.
  const isKnown = isMailboxKnown(secret, { subject, id: linked?.id ?? '' }, browser);
  return isKnown && linked !== undefined;
}

function wordsOf({ config, store }: AppContext, { operator_id }: SignInPurpose, token: string) {
  const codename = operator_id === null ? null : store.operators.byId(operator_id)?.codename;
  const what = codename ? `Add this mailbox to the account ${codename} of` : 'Sign in to';
  const elsewhere = codename
    ? 'It works in no other browser.'
    : 'Another browser has to be told the six digits that this one shows.';
  return {
    subject: codename
      ? `Add your mailbox at ${config.site.name}`
      : `Sign in to ${config.site.name}`,
    text: [
      `${what} ${config.site.name}:`,
      `${config.baseUrl}/login/mail/link?token=${token}`,
      `The link works once, for 15 minutes, in the browser that asked for it. ${elsewhere}`,
      'If you did not ask for it, do nothing, and pass it on to nobody.\n',
    ].join('\n\n'),
  };
}

function notSent({ logger }: AppContext, error: unknown): DomainError {
  logger.warn('mail_not_sent', mailRefusal(error));
  return new DomainError('method_unavailable', 'The mail could not be sent');
}
