import { describe, expect, test } from 'vitest';
import { dumpOf } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import { aBrowser } from '#tests/support/http/sign-in.ts';
import { aMailBoard } from '#tests/support/http/mail-board.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];

describe('sendSignInMail()', () => {
  test('emails a link, and stores neither its token nor the address', async () => {
    const { ctx, post, send } = aMailBoard();

    await send(' Ada@EXAMPLE.org\n');

    expect(post.mails).toMatchObject([{ to: 'ada@example.org', subject: 'Sign in to Test board' }]);
    expect(post.mails[0]?.text).toContain('http://127.0.0.1:4321/login/mail/link?token=');
    const kept = JSON.stringify(dumpOf(ctx));
    expect(kept).not.toContain(post.lastToken());
    expect(kept.toLowerCase()).not.toContain('ada@example.org');
    expect(kept).toContain('a•••@example.org');
  });

  test.each([
    '',
    'ada',
    'ada@',
    '@example.org',
    'ada@localhost',
    'ada@example.org, eve@example.org',
    'ada@example.org\nBcc: eve@example.org',
    'Ada <ada@example.org>',
    '"a b"@example.org',
    'ada@[127.0.0.1]',
    `${'a'.repeat(65)}@example.org`,
    `a@${'b.'.repeat(130)}org`,
  ])('throws validation_failed for the address %j, and sends nothing', async (address) => {
    const { ctx, post, send } = aMailBoard();
    const before = dumpOf(ctx);

    await expect(send(address)).rejects.toEqual(refusal('validation_failed'));
    expect(post.mails).toEqual([]);
    expect(dumpOf(ctx)).toEqual(before);
  });

  test('leaves nothing usable if the email cannot be sent, and logs no address', async () => {
    const { ctx, send } = aMailBoard();
    const logged: unknown[] = [];
    ctx.logger.warn = (...event) => void logged.push(event);
    const cause = Object.assign(new Error('550 ada@example.org'), { code: 'EENVELOPE' });
    const mailer = { send: () => Promise.reject(cause) };

    const sent = send('ada@example.org', { mailer });

    await expect(sent).rejects.toEqual(refusal('method_unavailable'));
    expect(dumpOf(ctx)['mail_links']).toEqual([]);
    expect(logged).toEqual([['mail_not_sent', { code: 'EENVELOPE' }]]);
    expect(JSON.stringify([logged, ctx.errors])).not.toContain('ada@');
  });

  test('sends five emails for one client in ten minutes', async () => {
    const { send, post } = aMailBoard();
    await Promise.all(NAMES.map((name) => send(`${name}@example.org`, { client: 'c' })));

    await expect(send('bob@example.org', { client: 'c' })).rejects.toEqual(
      refusal('quota_exceeded'),
    );
    expect(post.mails).toHaveLength(5);
  });

  test('sends five emails an hour to one mailbox for one client, and more for others', async () => {
    const { ctx, send, post } = aMailBoard();
    await Promise.all(NAMES.map(() => send('ada@example.org', { client: 'c' })));
    ctx.clock.nowMs += 11 * 60_000;

    await expect(send('ADA@example.org', { client: 'c' })).rejects.toEqual(
      refusal('quota_exceeded'),
    );
    await send('ada@example.org', { client: 'another' });
    expect(post.mails).toHaveLength(6);
  });

  test('sends at most twenty emails an hour to one mailbox', async () => {
    const { send, post } = aMailBoard();
    const clients = NAMES.flatMap((name) => NAMES.map((other) => `${name} ${other}`));
    const asked = clients.map((client) => send('ada@example.org', { client }));

    const outcomes = await Promise.allSettled(asked);

    expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(5);
    expect(post.mails).toHaveLength(20);
  });

  test('works only in the browser that the provider asks, and only while it does', async () => {
    const { provider, post, send } = aMailBoard();
    const { cookieHeader } = aBrowser('another');

    await expect(send('ada@example.org', { cookieHeader })).rejects.toEqual(
      refusal('interaction_expired'),
    );
    provider.over.add('one');
    await expect(send('ada@example.org')).rejects.toEqual(refusal('interaction_expired'));
    expect(post.mails).toEqual([]);
  });
});
