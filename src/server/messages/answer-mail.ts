/** Whether and how an answer to an operator's message is emailed. */
import type { AppContext, Board } from '../context.ts';
import type { Mail, Mailer } from '../mail/mailer.ts';
import { addressOf } from '../member-mail/mail-choices.ts';
import type { Message } from './messages.ts';

/** What answering needs, in the server and in the admin CLI. */
export interface Answering extends Board {
  config: Pick<AppContext['config'], 'baseUrl' | 'dataDir' | 'site'>;
  mailer: Mailer | null;
  logger: { warn(event: string, fields: Readonly<Record<string, string>>): void };
}

/** Why answers to an operator are not emailed, as a clause; null if they are. */
export function reasonNotToMail(
  { store, mailer }: Pick<Answering, 'mailer' | 'store'>,
  operator_id: number,
): string | null {
  if (!mailer) return 'this board cannot send email: set SMTP_URL and MAIL_FROM';
  const row = store.memberMail.ofOperator(operator_id);
  if (!row) return 'the operator has left no address: email is off in the settings of the account';
  if (row.address === null) {
    return 'the board can no longer read the address of the operator, who has to enter it again';
  }
  if (row.problem !== null) return 'the mail server rejected the address of the operator earlier';
  return row.confirmed_at === null ? 'the operator has not confirmed the address yet' : null;
}

/** The address to which an answer is emailed; null if it is not. */
export function mailboxOf(ctx: Answering, operator_id: number): string | null {
  if (reasonNotToMail(ctx, operator_id) !== null) return null;
  const row = ctx.store.memberMail.ofOperator(operator_id);
  return row ? addressOf(ctx, row) : null;
}

/** Only plain text, so that nothing in a message or an answer can be markup. */
export function answerMail(
  { baseUrl, site }: Answering['config'],
  { subject, message, created_at }: Message,
  { to, answer }: { to: string; answer: string },
): Mail {
  const quoted = message.replaceAll(/^/gm, '> ');
  const text = [
    answer,
    `-- \n${site.name} answers your message of ${created_at.slice(0, 10)}:`,
    quoted,
    `Your messages and the answers: ${baseUrl}/settings/data#messages`,
    `Do not reply to this email. To write again, use the form on that page.\n`,
  ];
  return { to, subject: `Re: ${subject}`, text: text.join('\n\n') };
}
