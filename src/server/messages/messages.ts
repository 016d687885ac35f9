/** Messages from operators, as admins and moderators read them. */
import type { AnswerRow, MessageRow } from '#db/contact-messages.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { MessageState } from '#core/schema/account.ts';
import type { Board } from '../context.ts';

/** A message with its state. */
export interface Message extends MessageRow {
  state: MessageState;
  /** Whether an answer is being emailed, or was when the server stopped or lost the connection to the mail server. */
  sending: 'interrupted' | 'now' | null;
}

interface MessageList {
  onlyOpen: boolean;
  limit: number;
  offset: number;
}

/** Open messages first, those that wait longest at the top. Then done ones, newest first. */
export function listMessages({ store, now }: Board, { onlyOpen, limit, offset }: MessageList) {
  const rows = store.contactMessages.page({ onlyOpen: onlyOpen ? 1 : 0, limit: limit + 1, offset });
  return {
    messages: rows.slice(0, limit).map((row) => messageIn(row, now())),
    hasNext: rows.length > limit,
  };
}

/** @throws {DomainError} `not_found`. */
export function messageOf({ store, now }: Board, id: string): Message {
  const row = store.contactMessages.byId(id);
  if (!row) throw new DomainError('not_found', `There is no message ${id}`);
  return messageIn(row, now());
}

function messageIn(row: MessageRow, now: Date): Message {
  const { done_at, sending_until } = row;
  const isNow = sending_until !== null && sending_until > now.toISOString();
  return {
    ...row,
    state: done_at === null ? 'open' : 'done',
    sending: sending_until === null ? null : isNow ? 'now' : 'interrupted',
  };
}

/** The messages of an operator, newest first, each with its answers. */
export function messagesOf({ store }: Pick<Board, 'store'>, operator_id: number) {
  return store.contactMessages.ofOperator(operator_id).map((message) => ({
    ...message,
    answers: answersTo(store, message),
  }));
}

/** The answers to a message, oldest first. */
export function answersTo(
  { contactAnswers }: Board['store'],
  { id, answers }: Pick<MessageRow, 'answers' | 'id'>,
): AnswerRow[] {
  return answers === 0 ? [] : contactAnswers.ofMessage(id);
}
