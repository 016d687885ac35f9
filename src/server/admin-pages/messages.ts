/** What the admin pages of messages show. */
import type { AppContext } from '../context.ts';
import { reasonNotToMail } from '../messages/answer-mail.ts';
import { answersTo, listMessages, messageOf } from '../messages/messages.ts';

const PER_PAGE = 20;

export function readMessageList(ctx: AppContext, page: number) {
  const offset = (page - 1) * PER_PAGE;
  const list = listMessages(ctx, { onlyOpen: false, limit: PER_PAGE, offset });
  return { ...list, open: ctx.store.contactMessages.openCount() };
}

/** @throws {DomainError} `not_found`. */
export function readMessagePage(ctx: AppContext, id: string) {
  const message = messageOf(ctx, id);
  return {
    message,
    answers: answersTo(ctx.store, message),
    /** Null if answers are also emailed. */
    notMailed: reasonNotToMail(ctx, message.operator_id),
  };
}
