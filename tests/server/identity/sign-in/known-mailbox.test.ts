import { describe, expect, test } from 'vitest';
import { findOrCreateAccount, subjectOf } from '#server/identity/sign-in/accounts.ts';
import { useMailLink } from '#server/identity/sign-in/use-mail-link.ts';
import { eraseAccount } from '#server/account/delete-account.ts';
import { dumpOf } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';
import { UNINVITED, aBrowser } from '#tests/support/http/sign-in.ts';
import { aMailBoard } from '#tests/support/http/mail-board.ts';

const NAMES = ['a', 'b', 'c', 'd', 'e'];

describe('a browser that has signed in with the mailbox before', () => {
  const NEW = 'new@example.org';

  /** A browser that used an emailed link, and strangers who then use up the mailbox's limit. */
  async function aBesieged(address = 'ada@example.org') {
    const board = aMailBoard();
    const browser = aBrowser('one');
    browser.keep(await board.send(address, { cookieHeader: browser.cookieHeader, client: 'home' }));
    const { cookies } = await useMailLink(
      board.ctx,
      { token: board.post.lastToken(), code: '' },
      browser,
    );
    browser.keep(...cookies);
    const besiege = async (mailbox = address) => {
      const clients = NAMES.flatMap((name) => NAMES.map((other) => `${name} ${other}`));
      await Promise.allSettled(clients.map((client) => board.send(mailbox, { client })));
    };
    await besiege();
    const again = (mailbox = address) =>
      board.send(mailbox, { cookieHeader: browser.cookieHeader, client: 'home' });
    return { ...board, browser, besiege, again, cookies };
  }

  test('still gets five emails an hour, while others get none', async () => {
    const { again, send, post } = await aBesieged();
    const before = post.mails.length;

    await expect(send('ada@example.org')).rejects.toEqual(refusal('quota_exceeded'));
    for (let times = 0; times < NAMES.length; times += 1) await again();

    expect(post.mails).toHaveLength(before + 5);
    await expect(again()).rejects.toEqual(refusal('quota_exceeded'));
  });

  test('is recognized for that mailbox only', async () => {
    const { again, besiege } = await aBesieged();
    await besiege(NEW);

    await expect(again(NEW)).rejects.toEqual(refusal('quota_exceeded'));
  });

  test('is recognized for the latest three mailboxes', async () => {
    const { ctx, post, send, browser, again, besiege } = await aBesieged();
    for (const name of ['b', 'c', 'd']) {
      browser.keep(await send(`${name}@example.org`, { cookieHeader: browser.cookieHeader }));
      const token = post.lastToken();
      browser.keep(...(await useMailLink(ctx, { token, code: '' }, browser)).cookies);
      browser.keep('interaction=one');
      await besiege(`${name}@example.org`);
    }

    await expect(again()).rejects.toEqual(refusal('quota_exceeded'));
    await expect(again('b@example.org')).resolves.toBeDefined();
    await expect(again('d@example.org')).resolves.toBeDefined();
  });

  test('is not recognized once the mailbox belongs to another account', async () => {
    const { ctx, again } = await aBesieged();
    ctx.store.transaction(() => eraseAccount(ctx, 1));
    await expect(again()).rejects.toEqual(refusal('quota_exceeded'));

    const subject = subjectOf(ctx, 'email_magic_link', 'ada@example.org');
    const identity = { method: 'email_magic_link', subject, label: 'a•••@example.org' } as const;
    ctx.store.transaction(() => findOrCreateAccount(ctx, identity, UNINVITED));
    await expect(again()).rejects.toEqual(refusal('quota_exceeded'));
  });

  test('has a cookie that reveals nothing and cannot be forged', async () => {
    const { ctx, send, cookies } = await aBesieged();
    const [cookie = ''] = cookies.filter((each) => each.startsWith('mailbox='));

    expect(cookie).toMatch(
      /^mailbox=[\w-]{43}\.[0-9a-f]{64}; HttpOnly; Max-Age=15552000; Path=\/; SameSite=Lax$/,
    );
    const kept = JSON.stringify(dumpOf(ctx));
    expect(kept).not.toContain(/\.([0-9a-f]{64})/.exec(cookie)?.[1]);
    const [own = ''] = cookie.split(';');
    for (const forged of [
      own.replace(/\w$/, (digit) => (digit === '0' ? '1' : '0')),
      'mailbox=x',
    ]) {
      const cookieHeader = `interaction=one; ${forged}`;
      await expect(send('ada@example.org', { cookieHeader })).rejects.toEqual(
        refusal('quota_exceeded'),
      );
    }
  });
});
