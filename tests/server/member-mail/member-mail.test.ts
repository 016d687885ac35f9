import { readFileSync, statSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { eraseAccount } from '#server/account/delete-account.ts';
import { databasePath } from '#server/config/config.ts';
import { mailFailure } from '#server/mail/mailer.ts';
import { overtakersOf } from '#server/member-mail/due-events.ts';
import { confirmAddress, readMailChoices } from '#server/member-mail/mail-choices.ts';
import { mailKeyPath } from '#server/member-mail/mail-key.ts';
import { queueDueMails } from '#server/member-mail/member-mail.ts';
import { unsubscribe } from '#server/member-mail/unsubscribe.ts';
import { hideOperator } from '#server/operator/hide-operator.ts';
import { COMMAND } from '#server/process/admin-actions.ts';
import type { Publication } from '#server/publication/read/publication.ts';
import { bucketsOfDays } from '#tests/support/board/builders.ts';
import { publish, submit } from '#tests/support/board/context.ts';
import { ADDRESS, aMailScene } from '#tests/support/board/member-mail.ts';

describe('setMailChoices()', () => {
  test('stores the address encrypted, with a key that only the owner of the folder can read', async () => {
    const { ctx, id } = await aMailScene();

    ctx.store.erasure.checkpoint();
    const stored = readFileSync(databasePath(ctx.config));
    const key = readFileSync(mailKeyPath(ctx.config));
    expect(stored.includes(ADDRESS)).toBe(false);
    expect(stored.includes(key.toString().trim())).toBe(false);
    expect(stored.includes(Buffer.from(key.toString(), 'base64url'))).toBe(false);
    expect(statSync(mailKeyPath(ctx.config)).mode & 0o777).toBe(0o600);
    expect(readMailChoices(ctx, id)).toMatchObject({ address: ADDRESS, kinds: ['weekly'] });
  });

  test('sends nothing before the address is confirmed, and deletes it after a day', async () => {
    const { ctx, id, token, run, goTo } = await aMailScene(['weekly'], false);

    goTo('2026-03-16T08:00:00.000Z');
    expect(await run()).toEqual([]);
    goTo('2026-03-17T08:00:00.000Z');
    expect(confirmAddress(ctx, token)).toBe(false);
    await run();

    expect(readMailChoices(ctx, id)).toBeNull();
  });

  test('keeps what was there if the confirmation cannot be sent', async () => {
    const { ctx, id, set, send } = await aMailScene();
    send.mockRejectedValueOnce(new Error('ada@example.org?'));

    await expect(set({ address: 'other@example.org' })).rejects.toThrow(/could not be sent/);

    expect(readMailChoices(ctx, id)).toMatchObject({ address: ADDRESS, problem: null });
    expect(JSON.stringify(ctx.errors)).not.toContain('example.org');
  });

  test('deletes the address when every kind is off, and with the account', async () => {
    const { ctx, id, set } = await aMailScene();
    const sealed = Buffer.from(ctx.store.memberMail.ofOperator(id)?.address ?? []);

    expect(await set({ kinds: [] })).toBe('off');

    expect(readMailChoices(ctx, id)).toBeNull();
    expect(readFileSync(databasePath(ctx.config)).includes(sealed)).toBe(false);
    await set();
    ctx.store.transaction(() => eraseAccount(ctx, id));
    expect(ctx.store.memberMail.ofOperator(id)).toBeUndefined();
    expect(ctx.store.mailQueue.ofOperator(id)).toEqual([]);
  });

  test('asks for the address again with another key, and after a restore', async () => {
    const { ctx, id, run, goTo } = await aMailScene();

    ctx.store.expiry.endAccess();

    expect(readMailChoices(ctx, id)).toMatchObject({ address: null, problem: 'unreadable' });
    goTo('2026-03-16T08:00:00.000Z');
    expect(await run()).toEqual([]);
  });

  test('rejects text that is not an address', async () => {
    const { set } = await aMailScene();

    await expect(set({ address: 'ada' })).rejects.toMatchObject({ code: 'validation_failed' });
    await expect(set({ silent_days: '5' })).rejects.toMatchObject({ code: 'validation_failed' });
  });
});

describe('queueDueMails() and sendNext()', () => {
  test('send a summary on Monday, once, with the numbers of the board and a way out', async () => {
    const { run, goTo } = await aMailScene();

    expect(await run()).toEqual([]);
    goTo('2026-03-16T05:59:00.000Z');
    expect(await run()).toEqual([]);
    goTo('2026-03-16T06:00:00.000Z');
    await run();
    goTo('2026-03-16T18:00:00.000Z');
    const [mail, ...more] = await run();

    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: ADDRESS, subject: 'Your week on Test board' });
    expect(mail?.text).toMatch(/30 days\n {2}Rank: 1 of 1/);
    expect(mail?.html).toContain('<a href=');
    expect(mail?.html).not.toMatch(/<(?:img|link|script|style)\b|src=/);
    expect(mail?.headers).toMatchObject({ 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' });
    goTo('2026-03-17T08:00:00.000Z');
    expect(await run()).toHaveLength(1);
    goTo('2026-03-23T07:00:00.000Z');
    expect(await run()).toHaveLength(2);
  });

  test('report a silent device once, and not one that has submitted meanwhile', async () => {
    const { ctx, device, run, goTo } = await aMailScene(['silent']);

    goTo('2026-03-22T19:00:00.000Z');
    expect(await run()).toEqual([]);
    goTo('2026-03-22T21:00:00.000Z');
    const publication = publish(ctx, 7);
    await queueDueMails(ctx, publication);
    expect(ctx.store.mailQueue.length()).toBe(1);
    await submit(ctx, device, bucketsOfDays(3, '2026-03-19'));
    expect(await run()).toEqual([]);
    goTo('2026-03-29T22:00:00.000Z');
    await run();
    goTo('2026-03-30T22:00:00.000Z');
    const mails = await run();

    expect(mails.map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Your device .*has not submitted for 7 days$/),
    ]);
  });

  test('announce a challenge that begins, unless it is canceled', async () => {
    const { ctx, run, goTo } = await aMailScene(['challenge']);
    const terms = {
      description: 'Over <i>three</i> days.',
      metric: 'yield',
      tool: null,
      first_day: '2026-03-16',
      last_day: '2026-03-18',
      eligibility: { active_day_tokens: 1, active_days: 1, effective_days: 1 },
      ruleset: '1',
      series: null,
      created_at: ctx.now().toISOString(),
    };
    ctx.store.challenges.add({ id: 'march', title: 'March', ...terms } as never);
    ctx.store.challenges.add({ id: 'off', title: 'Off', ...terms } as never);
    const gone = { cancelled_at: ctx.now().toISOString(), cancelled_reason: 'No' };
    ctx.store.challenges.cancel({ id: 'off', ...gone });

    goTo('2026-03-16T00:05:00.000Z');
    const mails = await run();

    expect(mails.map(({ subject }) => subject)).toEqual(['The challenge “March” has started']);
    expect(mails[0]?.html).toContain('Over &lt;i&gt;three&lt;/i&gt; days.');
  });

  test('send nothing to an operator whom the admin hid', async () => {
    const { ctx, run, goTo } = await aMailScene();
    hideOperator(ctx, { kind: 'hide', name: 'ada', reason: 'Not true', by: COMMAND });

    goTo('2026-03-16T08:00:00.000Z');

    expect(await run()).toEqual([]);
  });

  test('try again after temporary errors, and stop after a permanent one', async () => {
    const { ctx, id, send, run, goTo } = await aMailScene();
    goTo('2026-03-16T08:00:00.000Z');
    const busy = { responseCode: 451, command: 'RCPT TO' };
    send.mockRejectedValueOnce(Object.assign(new Error('busy'), busy));
    await run();
    expect(send).toHaveBeenCalledOnce();
    await run();
    expect(send).toHaveBeenCalledOnce();
    goTo('2026-03-16T08:01:00.000Z');
    const gone = { responseCode: 550, command: 'RCPT TO' };
    send.mockRejectedValueOnce(Object.assign(new Error('gone'), gone));
    await run();
    goTo('2026-03-16T20:00:00.000Z');
    await run();

    expect(send).toHaveBeenCalledTimes(2);
    expect(readMailChoices(ctx, id)).toMatchObject({ problem: 'rejected' });
  });

  test('do not repeat an email whose attempt was cut off', async () => {
    const { ctx, send, run, goTo } = await aMailScene();
    goTo('2026-03-16T08:00:00.000Z');
    await queueDueMails(ctx, publish(ctx, 7));
    expect(ctx.store.mailQueue.take(ctx.now().toISOString())).toMatchObject({ kind: 'weekly' });
    goTo('2026-03-16T20:00:00.000Z');

    await run();

    expect(send).not.toHaveBeenCalled();
  });
});

test('mailFailure() repeats only what was certainly not accepted', () => {
  expect(
    [
      { responseCode: 451, command: 'DATA' },
      { responseCode: 552, command: 'DATA' },
      { responseCode: 550, command: 'MAIL FROM' },
      { responseCode: 535, command: 'AUTH PLAIN', code: 'EAUTH' },
      { code: 'ESOCKET', originalCode: 'ECONNREFUSED' },
      { code: 'ETIMEDOUT', timeoutType: 'SOCKET_TIMEOUT' },
      { code: 'ETIMEDOUT', timeoutType: 'GREETING_TIMEOUT' },
    ].map(mailFailure),
  ).toEqual(['later', 'rejected', 'later', 'later', 'later', 'unknown', 'later']);
});

test('overtakersOf() lists who was behind yesterday, if the own rank fell', () => {
  const entry = (codename: string, rank: number, day: number | null) => {
    return { codename, rank, movement: { day, week: null } };
  };
  const board = [
    entry('new', 1, null),
    entry('bea', 2, 2),
    entry('first', 3, -2),
    entry('ada', 4, -1),
  ];
  const window = () => ({
    find: (_: string, name: string) => board.find(({ codename }) => codename === name) ?? null,
    ranked: (_: string, { from, limit }: { from: number; limit: number }) => {
      return { entries: board.slice(from, from + limit) };
    },
  });
  const publication = { window } as unknown as Publication;

  const named = (name: string) => overtakersOf(publication, name).map(({ codename }) => codename);
  expect([named('ada'), named('first'), named('bea'), named('nobody')]).toEqual([
    ['bea'],
    ['bea'],
    [],
    [],
  ]);
});

test('unsubscribe() turns off one kind, and only with a token of that account', async () => {
  const { ctx, id, run, goTo } = await aMailScene(['weekly', 'record']);
  goTo('2026-03-16T08:00:00.000Z');
  const [mail] = await run();
  const link = /<(\S+)>/.exec(mail?.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? '';
  const token = new URL(link).searchParams.get('token') ?? '';

  expect(unsubscribe(ctx, token.replace('weekly', 'record'))).toBe(false);
  expect(readMailChoices(ctx, id)?.kinds).toEqual(['weekly', 'record']);
  expect(unsubscribe(ctx, token)).toBe(true);
  expect(readMailChoices(ctx, id)?.kinds).toEqual(['record']);
  expect(unsubscribe(ctx, token)).toBe(true);
});
