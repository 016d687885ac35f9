import { DomainError } from '#core/domain/text/errors.ts';
import { parseAs } from '#core/domain/text/faults.ts';
import { AnswerText } from '#core/schema/account.ts';
import { mailFailure, mailRefusal } from '../mail/mailer.ts';
import { type Actor, COMMAND } from '../process/admin-actions.ts';
import { type Answering, answerMail, mailboxOf } from './answer-mail.ts';
import { auditMessage, openMessage } from './close-message.ts';
import { type Message, messageOf } from './messages.ts';

/** How long an email can be on its way to the mail server, in milliseconds. Longer than all its time limits together. */
const SENDING_MS = 5 * 60 * 1000;

interface AnswerRequest {
  id: string;
  answer: string;
  /** Whether to also email the answer if that is possible. */
  byMail: boolean;
  by?: Actor;
}

/**
 * Answers a message and marks it as done. The operator reads the answer in the settings and, if possible, by email. The
 * email goes first: if it fails, nothing is stored and the message stays open. The message is reserved while the email
 * is sent, so that no second answer can be sent meanwhile, not even by another process.
 *
 * @returns Whether the answer was emailed.
 * @throws {DomainError} `validation_failed`, `not_found`, `state_conflict` if somebody else was first, or
 *   `mail_not_sent`.
 */
export async function answerMessage(
  ctx: Answering,
  { id, answer: text, byMail, by = COMMAND }: AnswerRequest,
): Promise<boolean> {
  const answer = parseAs(AnswerText, text, 'The answer');
  const { operator_id } = messageOf(ctx, id);
  const to = byMail ? mailboxOf(ctx, operator_id) : null;
  if (to !== null) await sendThenStore(ctx, id, { answer, by, to });
  else {
    ctx.store.transaction(() => {
      openMessage(ctx, id);
      storeAnswer(ctx, id, { answer, by, isMailed: false });
    });
  }
  return to !== null;
}

interface Sending {
  answer: string;
  by: Actor;
  to: string;
}

async function sendThenStore(
  ctx: Answering,
  id: string,
  { answer, by, to }: Sending,
): Promise<void> {
  const message = reserve(ctx, id);
  try {
    await ctx.mailer?.send(answerMail(ctx.config, message, { to, answer }));
  } catch (error) {
    throw failed(ctx, message, error);
  }
  ctx.store.transaction(() => storeAnswer(ctx, id, { answer, by, isMailed: true }));
}

function reserve(ctx: Answering, id: string): Message {
  return ctx.store.transaction(() => {
    const message = openMessage(ctx, id);
    const sending_until = new Date(ctx.now().getTime() + SENDING_MS).toISOString();
    ctx.store.contactMessages.setSending({ id, sending_until });
    return message;
  });
}

/** The message stays open. Other admins learn if the email may have been accepted all the same. */
function failed(
  { store, now, logger }: Answering,
  { id, sending_until: before }: Message,
  error: unknown,
): DomainError {
  logger.warn('answer_mail_failed', { message: id, ...mailRefusal(error) });
  const isUnknown = mailFailure(error) === 'unknown';
  const sending_until = isUnknown ? now().toISOString() : before;
  store.contactMessages.setSending({ id, sending_until });
  const detail = isUnknown
    ? 'The connection to the mail server broke, so it is unknown whether the answer was emailed. The message is still open. Answer without email, so that the operator does not get it twice'
    : 'The mail server did not accept the answer. The message is still open. Try again, or answer without email';
  return new DomainError('mail_not_sent', detail);
}

/** Call it inside a transaction. */
function storeAnswer(
  ctx: Answering,
  message_id: string,
  { answer, by, isMailed }: { answer: string; by: Actor; isMailed: boolean },
): void {
  const created_at = ctx.now().toISOString();
  const message = messageOf(ctx, message_id);
  const { operator_id, via } = by;
  ctx.store.contactAnswers.add({
    message_id,
    answer,
    created_at,
    is_mailed: isMailed ? 1 : 0,
    operator_id,
    via: via === 'command' ? 'command' : 'page',
  });
  ctx.store.contactMessages.setDone({ id: message_id, done_at: created_at });
  auditMessage(ctx, message, 'message_answer', by);
}
