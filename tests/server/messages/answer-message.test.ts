import { describe, expect, test, vi } from 'vitest';
import { Me } from '#core/contract/me.ts';
import { eraseAccount } from '#server/account/delete-account.ts';
import type { Mail } from '#server/mail/mailer.ts';
import { reasonNotToMail } from '#server/messages/answer-mail.ts';
import { answerMessage } from '#server/messages/answer-message.ts';
import { closeMessage, reopenMessage } from '#server/messages/close-message.ts';
import { answersTo, messageOf } from '#server/messages/messages.ts';
import { readMe } from '#server/board/me.ts';
import { publish, query, testContext } from '#tests/support/board/context.ts';
import { aMessage, anActor, confirmAddress } from '#tests/support/board/messages.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const ADDRESS = 'ada@example.org';
const ANSWER = { answer: 'It is forgotten.\nThe admin', byMail: true };
const MINUTE_MS = 60_000;

function aScene({ hasAddress = true } = {}) {
  const ctx = testContext();
  const send = vi.fn((_: Mail) => Promise.resolve());
  ctx.mailer = { send };
  const id = aMessage(ctx);
  if (hasAddress) confirmAddress(ctx, 'ada', ADDRESS);
  const grace = anActor(ctx, 'grace');
  const answer = (over: object = {}) => answerMessage(ctx, { id, ...ANSWER, by: grace, ...over });
  const stored = () => {
    const message = messageOf(ctx, id);
    const texts = answersTo(ctx.store, message).map((row) => row.answer);
    return { state: message.state, sending: message.sending, texts };
  };
  const actions = () => ctx.store.auditLog.newest(9).filter(({ subject }) => subject === id);
  return { ctx, id, send, grace, answer, stored, actions };
}

const OPEN = { state: 'open', sending: null, texts: [] };
const DONE = { state: 'done', sending: null, texts: [ANSWER.answer] };

/** An error of the mail server. */
function aMailError(over: object): Error {
  return Object.assign(new Error(`550 ${ADDRESS}?`), over);
}
const REJECTED = aMailError({ command: 'RCPT TO', responseCode: 550 });
const BROKEN = aMailError({ code: 'ESOCKET' });

describe('answerMessage()', () => {
  test('emails the answer with the message, stores it, and marks the message as done', async () => {
    const { ctx, id, send, answer, stored, actions } = aScene();

    expect(await answer()).toBe(true);

    expect(stored()).toEqual(DONE);
    const message = messageOf(ctx, id);
    expect(answersTo(ctx.store, message)).toMatchObject([
      { actor: 'grace', via: 'page', is_mailed: 1, created_at: ctx.now().toISOString() },
    ]);
    expect(actions()).toMatchObject([
      { action: 'message_answer', actor: 'grace', via: 'page', codename: 'ada', reason: null },
    ]);
    const [mail] = send.mock.calls[0] ?? [];
    expect(mail).toMatchObject({ to: ADDRESS, subject: 'Re: A lost device' });
    expect(mail?.html).toBeUndefined();
    expect(mail?.text).toMatch(/^It is forgotten\.\nThe admin\n\n-- \nTest board answers/);
    expect(mail?.text).toContain('> May it be forgotten?\n> Ada\n');
    expect(mail?.text).not.toContain('grace');
  });

  test('stores an answer without email if nobody wants one, or the address is not confirmed', async () => {
    const unwanted = aScene();
    expect(await unwanted.answer({ byMail: false })).toBe(false);
    const { send, answer, stored } = aScene({ hasAddress: false });
    expect(await answer()).toBe(false);
    const unconfirmed = aScene();
    const row = unconfirmed.ctx.store.memberMail.ofOperator(1);
    if (row) unconfirmed.ctx.store.memberMail.put({ ...row, confirmed_at: null });
    expect(await unconfirmed.answer()).toBe(false);

    expect([unwanted, unconfirmed].map((scene) => scene.stored())).toEqual([DONE, DONE]);
    expect(stored()).toEqual(DONE);
    expect([unwanted.send, unconfirmed.send, send].flatMap(({ mock }) => mock.calls)).toEqual([]);
  });

  test.each(['', ' \n ', 'x'.repeat(5001), 'a\u202Eb'])('rejects %j', async (text) => {
    const { answer, send, stored } = aScene();

    await expect(answer({ answer: text })).rejects.toThrow(refusal('validation_failed'));

    expect([stored(), send.mock.calls]).toEqual([OPEN, []]);
  });

  test('rejects an unknown message', async () => {
    const { answer } = aScene();
    await expect(answer({ id: 'nothing' })).rejects.toThrow(refusal('not_found'));
  });

  test('leaves the message open if the mail server rejects the email, and logs no address', async () => {
    const { ctx, answer, send, stored, actions } = aScene();
    const warn = vi.spyOn(ctx.logger, 'warn');
    send.mockRejectedValueOnce(REJECTED);

    await expect(answer()).rejects.toMatchObject({
      code: 'mail_not_sent',
      message: expect.stringContaining('did not accept the answer. The message is still open'),
    });

    expect([stored(), actions()]).toEqual([OPEN, []]);
    expect(warn).toHaveBeenCalledWith('answer_mail_failed', expect.anything());
    expect(JSON.stringify([warn.mock.calls, ctx.errors])).not.toContain('@');
    expect(await answer({ byMail: false })).toBe(false);
  });

  test('says so if the email may have been accepted, also to other admins', async () => {
    const { answer, send, stored } = aScene();
    send.mockRejectedValueOnce(BROKEN).mockRejectedValueOnce(REJECTED);

    await expect(answer()).rejects.toThrow(/unknown whether the answer was emailed/);
    expect(stored()).toEqual({ ...OPEN, sending: 'interrupted' });
    await expect(answer()).rejects.toThrow(/did not accept/);
    expect(stored()).toEqual({ ...OPEN, sending: 'interrupted' });

    await answer({ byMail: false });
    expect(stored()).toEqual(DONE);
  });

  test('sends one of two answers at the same time, and says who was first afterwards', async () => {
    const { ctx, id, answer, send, stored } = aScene();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    send.mockReturnValueOnce(promise);
    const first = answer();
    const by = anActor(ctx, 'bob');
    const second = { answer: 'No', by };

    for (const byMail of [true, false]) {
      await expect(answer({ ...second, byMail })).rejects.toThrow(/being sent at this moment/);
    }
    expect(() => closeMessage(ctx, id, by)).toThrow(refusal('state_conflict'));
    resolve(undefined);
    expect(await first).toBe(true);

    await expect(answer(second)).rejects.toMatchObject({
      code: 'state_conflict',
      message: `This message was answered by grace on ${ctx.now().toISOString()}. Nothing was changed or sent`,
    });
    expect([stored(), send.mock.calls.length]).toEqual([DONE, 1]);
  });

  test('accepts another answer some minutes after a process ended while it sent one', async () => {
    const { ctx, answer, send, stored } = aScene();
    send.mockReturnValueOnce(new Promise(() => undefined));
    void answer();
    expect(stored()).toEqual({ ...OPEN, sending: 'now' });

    ctx.clock.nowMs += 5 * MINUTE_MS;
    expect(stored()).toEqual({ ...OPEN, sending: 'interrupted' });
    await answer();

    expect(stored()).toEqual(DONE);
  });

  test('stores nothing if the operator deletes the account while the answer is emailed', async () => {
    const { ctx, answer, send } = aScene();
    send.mockImplementationOnce(async () => {
      ctx.store.transaction(() => eraseAccount(ctx, 1));
    });

    await expect(answer()).rejects.toThrow(refusal('not_found'));

    expect(query(ctx, 'SELECT * FROM contact_answers')).toEqual([]);
  });
});

describe('reasonNotToMail()', () => {
  test('names what is missing', () => {
    const { ctx } = aScene();
    const reason = () => reasonNotToMail(ctx, 1);
    const row = ctx.store.memberMail.ofOperator(1);
    if (!row) throw new Error('Email is off');
    expect(reason()).toBeNull();

    ctx.store.memberMail.put({ ...row, confirmed_at: null });
    expect(reason()).toContain('has not confirmed');
    ctx.store.memberMail.put({ ...row, problem: 'rejected' });
    expect(reason()).toContain('rejected the address');
    ctx.store.memberMail.put({ ...row, address: null });
    expect(reason()).toContain('can no longer read');
    ctx.store.memberMail.remove(1);
    expect(reason()).toContain('email is off');
    ctx.mailer = null;
    expect(reason()).toContain('set SMTP_URL and MAIL_FROM');
  });
});

describe('the notice of an answer', () => {
  const noticesOf = (ctx: ReturnType<typeof testContext>) => {
    publish(ctx);
    return Me.parse(readMe(ctx, { operator_id: 1, device_id: null })).notices;
  };

  test('points to the settings, without the text, for 30 days', async () => {
    const { ctx, answer } = aScene();
    expect(noticesOf(ctx)).toEqual([]);
    await answer();
    const since = ctx.now().toISOString();

    const [notice, ...others] = noticesOf(ctx);
    expect(others).toEqual([]);
    expect(notice).toMatchObject({ kind: 'answered', since, submission: null, reason: null });
    expect(notice?.advice).toMatch(/^Read the answer: http.*\/settings\/data#messages$/);
    ctx.clock.nowMs += 30 * 24 * 60 * MINUTE_MS;
    expect(noticesOf(ctx)).toHaveLength(1);
    ctx.clock.nowMs += 1;
    expect(noticesOf(ctx)).toEqual([]);
  });
});

describe('closeMessage() and reopenMessage()', () => {
  test('change the state once, with an entry in the audit log', async () => {
    const { ctx, id, grace, answer, stored, actions } = aScene();

    closeMessage(ctx, id, grace);
    expect(stored()).toEqual({ ...OPEN, state: 'done' });
    expect(() => closeMessage(ctx, id)).toThrow(/^This message was marked as done by grace on /);
    await expect(answer()).rejects.toThrow(refusal('state_conflict'));
    reopenMessage(ctx, id);
    expect(() => reopenMessage(ctx, id)).toThrow(
      /^This message was opened again by a command on the server on /,
    );
    await answer();

    expect(stored()).toEqual(DONE);
    expect(actions().map(({ action, via }) => [action, via])).toEqual([
      ['message_answer', 'page'],
      ['message_reopen', 'command'],
      ['message_done', 'page'],
    ]);
    expect(() => closeMessage(ctx, 'nothing')).toThrow(refusal('not_found'));
  });
});

describe('the account of an admin who answered', () => {
  test('can be deleted, and the answer stays without a name', async () => {
    const { ctx, id, grace, answer, stored } = aScene();
    anActor(ctx, 'another');
    await answer();
    ctx.store.transaction(() => eraseAccount(ctx, grace.operator_id ?? 0));

    expect(stored()).toEqual(DONE);
    expect(ctx.store.contactAnswers.ofMessage(id)).toMatchObject([{ actor: null, via: 'page' }]);
    await expect(answer()).rejects.toThrow(/answered by a former admin/);
  });
});
