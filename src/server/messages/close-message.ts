/** Marks messages as done, and opens them again. */
import { DomainError } from '#core/domain/text/errors.ts';
import type { Board } from '../context.ts';
import { type Actor, audit } from '../process/admin-actions.ts';
import { type Message, messageOf } from './messages.ts';

/** @throws {DomainError} `not_found`, or `state_conflict` if it is done or an answer is being sent. */
export function closeMessage(board: Board, id: string, by?: Actor): void {
  board.store.transaction(() => {
    const message = openMessage(board, id);
    board.store.contactMessages.setDone({ id, done_at: board.now().toISOString() });
    auditMessage(board, message, 'message_done', by);
  });
}

/** @throws {DomainError} `not_found`, or `state_conflict` if it is open. */
export function reopenMessage(board: Board, id: string, by?: Actor): void {
  board.store.transaction(() => {
    const message = messageOf(board, id);
    if (message.state === 'open') throw conflict(lastAction(board, message));
    board.store.contactMessages.setDone({ id, done_at: null });
    auditMessage(board, message, 'message_reopen', by);
  });
}

/**
 * Returns a message that can be answered or marked as done. Call it inside the transaction that does so.
 *
 * @throws {DomainError} `not_found`, or `state_conflict` with what somebody else did first.
 */
export function openMessage(board: Board, id: string): Message {
  const message = messageOf(board, id);
  if (message.state === 'done') throw conflict(lastAction(board, message));
  if (message.sending === 'now') {
    throw conflict('An answer to this message is being sent at this moment');
  }
  return message;
}

type MessageAction = 'message_answer' | 'message_done' | 'message_reopen';

export function auditMessage(
  { store, now }: Board,
  { id, operator_id }: Pick<Message, 'id' | 'operator_id'>,
  action: MessageAction,
  by: Actor | undefined,
): void {
  audit(store, { action, subject: id, operator_id, reason: null, now: now(), by });
}

const CHANGES: Readonly<Record<string, string>> = {
  message_answer: 'answered',
  message_done: 'marked as done',
  message_reopen: 'opened again',
} satisfies Record<MessageAction, string>;

/** The last change of a message's state, with its author and time. */
function lastAction({ store }: Board, { id, operator_id, state }: Message): string {
  const last = store.auditLog.lastAbout({ operator_id, subject: id });
  if (!last) return `This message is ${state}`;
  const { action, actor, created_at, via } = last;
  const who = via === 'command' ? 'a command on the server' : (actor ?? 'a former admin');
  return `This message was ${CHANGES[action] ?? action} by ${who} on ${created_at}`;
}

function conflict(what: string): DomainError {
  return new DomainError('state_conflict', `${what}. Nothing was changed or sent`);
}
