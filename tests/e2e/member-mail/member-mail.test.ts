import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { announceOn } from '#tests/support/board/contests.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { type Delivered, aMailServer } from '#tests/support/http/post-office.ts';
import { eventually, startServer } from '#tests/support/http/server.ts';

const ADDRESS = 'ada.of.the.board@example.org';

/** Every byte of the database on disk. */
function filesOf(dataDir: string): Buffer {
  const read = (name: string) => {
    try {
      return readFileSync(join(dataDir, name));
    } catch {
      return Buffer.alloc(0);
    }
  };
  return Buffer.concat([read('opbench.sqlite'), read('opbench.sqlite-wal')]);
}

/** What a pattern matches in an email. */
function found(mail: Delivered | null | undefined, pattern: RegExp): string {
  const [text] = pattern.exec(mail?.text ?? '') ?? [];
  if (text === undefined) throw new Error(`The email does not contain ${pattern}`);
  return text;
}

test('a member turns on email, confirms, receives after a kill, and unsubscribes with one click', async () => {
  const post = await aMailServer();
  const env = { SMTP_URL: post.smtpUrl, MAIL_FROM: 'board@example.org' };
  const first = await startServer({ env });
  const { dataDir } = first;
  const cookie = await first.signIn('ada');
  const send = (path: string, form: Record<string, string>, more: Record<string, string> = {}) => {
    const body = new URLSearchParams(form);
    return fetch(first.url + path, { method: 'POST', body, headers: more, redirect: 'manual' });
  };

  const choices = { action: 'save', challenge: 'on', days: '7', address: ADDRESS };
  const saved = await send('/settings/email', choices, { Cookie: cookie });
  expect([saved.status, saved.headers.get('location')]).toEqual([
    303,
    '/settings/email?done=confirm',
  ]);
  const token = found(post.mails[0], /confirm\?token=[\w-]+/).split('=')[1] as string;
  const looked = await fetch(`${first.url}/email/confirm?token=${token}`);
  expect(looked.headers.get('referrer-policy')).toBe('no-referrer');
  expect(await looked.text()).toContain('Confirm address');
  const confirmed = await send('/email/confirm', { token });
  expect(await confirmed.text()).toContain('Your address is confirmed');
  expect((await send('/email/confirm', { token })).status).toBe(422);
  announceOn(first, 'sprint', { first_day: daysAgo(0), last_day: daysAgo(-9) });
  await first.stop('SIGKILL');

  const db = new Database(join(dataDir, 'opbench.sqlite'));
  db.prepare('UPDATE member_mail SET since = ?').run(daysAgo(1));
  db.prepare('UPDATE challenges SET created_at = ?').run(daysAgo(1));
  const sealed = db.prepare('SELECT address FROM member_mail').pluck().get() as Buffer;
  db.close();
  expect(filesOf(dataDir).includes(sealed)).toBe(true);

  const second = await startServer({ env, dataDir });
  const mail = await eventually(async () => post.mails[1] ?? null, Boolean);
  expect(mail).toMatchObject({
    to: [ADDRESS],
    text: expect.stringMatching(/Content-Type: text\/html/),
  });
  found(mail, /List-Unsubscribe-Post: List-Unsubscribe=One-Click/);
  const path = found(mail, /unsubscribe\?token=[\w.-]+/);
  const off = `${second.url}/email/${path}`;
  const asked = await (await fetch(off)).text();
  expect(asked).toContain('Stop emails about challenges');
  expect(filesOf(dataDir).includes(sealed)).toBe(true);
  const clicked = await fetch(off, {
    method: 'POST',
    body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    redirect: 'manual',
  });
  expect(clicked.status).toBe(200);

  const settings = await fetch(`${second.url}/settings/email`, { headers: { Cookie: cookie } });
  expect(await settings.text()).not.toContain(ADDRESS);
  await second.stop();
  const files = filesOf(dataDir);
  expect([files.includes(sealed), files.includes(ADDRESS)]).toEqual([false, false]);
  expect(first.log() + second.log()).not.toContain(ADDRESS);
  expect(post.mails).toHaveLength(2);
});

test('a board without a mail server says so', async () => {
  const { url, signIn } = await startServer();
  const headers = { Cookie: await signIn('ada') };

  const page = await (await fetch(`${url}/settings/email`, { headers })).text();

  expect(page).toContain('This board cannot send email');
  expect(page).not.toContain('name="address"');
});
