/** What members choose to receive, and the confirmation of their addresses. */
import { DomainError } from '#core/domain/text/errors.ts';
import { MailKind, SILENT_DAYS } from '#core/schema/member-mail.ts';
import type { AppContext } from '../context.ts';
import { subjectOf } from '../identity/sign-in/accounts.ts';
import { mailRefusal, readMailbox } from '../mail/mailer.ts';
import { operatorOf } from '../operator/operator.ts';
import { randomSecret, sha256Hex } from '../process/crypto.ts';
import { openAddress, sealAddress } from './mail-key.ts';

/** How long a confirmation link is valid, in milliseconds (24 hours). */
const CONFIRM_MS = 24 * 60 * 60 * 1000;

type Row = NonNullable<ReturnType<AppContext['store']['memberMail']['ofOperator']>>;

export type MailChoices = Pick<Row, 'confirmed_at' | 'kinds' | 'problem' | 'silent_days'> & {
  /** Null if the member must enter it again. */
  address: string | null;
};

/** A member's choices; null if email is off. Marks an address that cannot be decrypted. */
export function readMailChoices(ctx: AppContext, operator_id: number): MailChoices | null {
  const row = ctx.store.memberMail.ofOperator(operator_id);
  if (!row) return null;
  const { kinds, silent_days, confirmed_at } = row;
  const address = addressOf(ctx, row);
  const problem = address === null ? ('unreadable' as const) : row.problem;
  return { address, kinds, silent_days, confirmed_at, problem };
}

/** The decrypted address; null if the key is not the one that encrypted it, as after moving only the database. */
export function addressOf(
  ctx: Pick<AppContext, 'now' | 'store'> & { config: Pick<AppContext['config'], 'dataDir'> },
  { operator_id, address }: Row,
): string | null {
  if (address === null) return null;
  const { public_id } = operatorOf(ctx, operator_id);
  const opened = openAddress(ctx.config, address, public_id);
  if (opened !== null) return opened;
  const problem_at = ctx.now().toISOString();
  ctx.store.memberMail.addProblem({ operator_id, problem: 'unreadable', problem_at });
  return null;
}

interface Wanted {
  address: string;
  kinds: readonly string[];
  silent_days: string;
  /** The key of the visitor's rate limits. */
  client: string;
}

/**
 * Stores a member's choices. Emails a confirmation link if the address is new. Without any kind, the address is
 * deleted.
 *
 * @throws {DomainError} if the address is not valid, or the link could not be sent.
 */
export async function setMailChoices(
  ctx: AppContext,
  operator_id: number,
  wanted: Wanted,
): Promise<'confirm' | 'off' | 'saved'> {
  const row = ctx.store.memberMail.ofOperator(operator_id);
  const kinds = MailKind.options.filter((kind) => wanted.kinds.includes(kind));
  if (kinds.length === 0) {
    if (row) keepKinds(ctx, row, []);
    return 'off';
  }
  const silent_days = SILENT_DAYS.find((days) => String(days) === wanted.silent_days);
  if (silent_days === undefined) {
    throw new DomainError('validation_failed', `Choose ${SILENT_DAYS.join(', ')} days`);
  }
  const { address } = readMailbox(wanted.address);
  const since = ctx.now().toISOString();
  if (row?.confirmed_at && row.problem === null && addressOf(ctx, row) === address) {
    keepKinds(ctx, { ...row, silent_days, since }, kinds);
    return 'saved';
  }
  const { public_id } = operatorOf(ctx, operator_id);
  const sealed = sealAddress(ctx.config, address, public_id);
  const unconfirmed = { confirmed_at: null, problem: null, problem_at: null, since };
  const choices = { operator_id, address: sealed, kinds, silent_days, ...unconfirmed };
  await sendConfirmation(ctx, choices, { address, client: wanted.client });
  return 'confirm';
}

/** Keeps some kinds and drops the unsent emails of all others. Deletes the address if no kind is left. */
export function keepKinds({ store }: AppContext, row: Row, kinds: MailKind[]): void {
  store.transaction(() => {
    store.mailQueue.removeUnsent(row.operator_id, kinds);
    if (kinds.length > 0) store.memberMail.put({ ...row, kinds });
    else store.memberMail.remove(row.operator_id);
  });
  // Otherwise the write-ahead log keeps the encrypted address for a while.
  if (kinds.length === 0) store.erasure.checkpoint();
}

type Unconfirmed = Omit<Row, 'confirm_hash' | 'confirm_until'>;

async function sendConfirmation(
  ctx: AppContext,
  choices: Unconfirmed,
  { address, client }: Pick<Wanted, 'address' | 'client'>,
): Promise<void> {
  const { mailer, store, limiter } = ctx;
  if (!mailer) throw new DomainError('method_unavailable', 'This board cannot send email');
  limiter.take('mail', client);
  limiter.take('mailbox', `member ${subjectOf(ctx, 'email_magic_link', address)}`);
  const before = store.memberMail.ofOperator(choices.operator_id);
  const token = randomSecret();
  const confirm_until = new Date(ctx.now().getTime() + CONFIRM_MS).toISOString();
  store.memberMail.put({ ...choices, confirm_hash: sha256Hex(token), confirm_until });
  const { codename } = operatorOf(ctx, choices.operator_id);
  try {
    await mailer.send({ to: address, ...confirmationText(ctx, codename, token) });
  } catch (error) {
    if (before) store.memberMail.put(before);
    else store.memberMail.remove(choices.operator_id);
    ctx.logger.warn('member_mail_not_sent', mailRefusal(error));
    throw new DomainError('method_unavailable', 'The email could not be sent. Check the address');
  }
}

function confirmationText({ config }: AppContext, codename: string, token: string) {
  const { name } = config.site;
  return {
    subject: `Confirm your email address for ${name}`,
    text: [
      `To receive email about your account ${codename} on ${name} at this address, open this link:`,
      `${config.baseUrl}/email/confirm?token=${token}`,
      'The link is valid for 24 hours.',
      'If you did not request this, ignore this email. The board then deletes your address.\n',
    ].join('\n\n'),
  };
}

/** The account that a confirmation link belongs to; null if the link is not valid. Does not use the link. */
export function readConfirmation(ctx: AppContext, token: string): string | null {
  const row = ctx.store.memberMail.byToken(sha256Hex(token), ctx.now().toISOString());
  return row ? operatorOf(ctx, row.operator_id).codename : null;
}

/** Confirms the address of a link. Returns false if the link is not valid. */
export function confirmAddress({ store, now }: AppContext, token: string): boolean {
  const at = now().toISOString();
  return store.transaction(() => {
    const row = store.memberMail.byToken(sha256Hex(token), at);
    if (!row) return false;
    const used = { confirm_hash: null, confirm_until: null, confirmed_at: at, since: at };
    store.memberMail.put({ ...row, ...used });
    return true;
  });
}
