/** The admin pages of messages, without JavaScript, with a real mail server. */
import { describe, expect, test } from 'vitest';
import { runAdmin } from '#tests/support/board/admin.ts';
import { type PostOffice, aMailServer } from '#tests/support/http/post-office.ts';
import { type RunningServer, sharedServer, startServer } from '#tests/support/http/server.ts';

const HERE = '/admin/messages';
const board = sharedServer();
const MESSAGE = { subject: 'A <b>bold</b> subject', message: 'Hello\n<script>alert(1)</script>' };

type Form = Readonly<Record<string, string>>;

/** A signed-in browser. */
async function aVisitor(server: RunningServer, codename: string, role?: 'admin' | 'moderator') {
  const cookie = await server.signIn(codename);
  const env = { DATA_DIR: server.dataDir };
  if (role) await runAdmin(['admin', 'add', codename, '--role', role], env);
  return async (path: string, form?: Form) => {
    const response = await fetch(server.url + path, {
      redirect: 'manual',
      headers: { Cookie: cookie, Origin: server.url },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    const location = response.headers.get('Location');
    return { status: response.status, location, html: await response.text() };
  };
}
type Visit = Awaited<ReturnType<typeof aVisitor>>;

/** Sends a message as an operator does. Returns the path of its admin page. */
async function write(server: RunningServer, visit: Visit, form: Form = MESSAGE): Promise<string> {
  const { location } = await visit('/settings/data', { action: 'contact', ...form });
  expect(location).toBe('/settings/data?done=contact');
  const { stdout } = await runAdmin(['messages', '--json'], { DATA_DIR: server.dataDir });
  const { entries } = JSON.parse(stdout) as { entries: { id: string }[] };
  return `${HERE}/${entries[0]?.id}`;
}

/** Turns on email and confirms the address. */
async function confirm(visit: Visit, { mails }: PostOffice, address: string): Promise<void> {
  await visit('/settings/email', { action: 'save', weekly: 'on', days: '7', address });
  const token = /confirm\?token=([\w-]+)/.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
  expect((await visit('/email/confirm', { token })).status).toBe(200);
}

describe(HERE, () => {
  test('leads from the overview to the message, and shows its text as it was written', async () => {
    const server = await board();
    const path = await write(server, await aVisitor(server, 'ada'));
    const visit = await aVisitor(server, 'mia', 'moderator');

    expect((await visit('/admin')).html).toContain(`href="${HERE}"`);
    const list = await visit(HERE);
    expect(list.html).toContain(`href="${path}"`);
    const { html } = await visit(path);
    expect(html).toContain('A &lt;b&gt;bold&lt;/b&gt; subject');
    expect(html).toContain('Hello\n&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html).toContain('this board cannot send email: set SMTP_URL and MAIL_FROM');
  });

  test('answers: the operator gets a notice and reads the answer in the settings', async () => {
    const server = await board();
    const operator = await aVisitor(server, 'olga');
    const path = await write(server, operator);
    const visit = await aVisitor(server, 'mia', 'moderator');

    const answered = await visit(path, { action: 'answer', answer: 'Line one\nLine <two>' });

    expect([answered.status, answered.location]).toEqual([303, `${path}?done=answer`]);
    expect((await visit(`${path}?done=answer`)).html).toMatch(/by mia, not by email/);
    expect((await operator('/settings')).html).toMatch(
      /An admin answered your message[^]*href="\/settings\/data#messages"/,
    );
    const own = (await operator('/settings/data')).html;
    expect(own).toContain('Line one\nLine &lt;two&gt;');
    expect(own).not.toContain('mia');
    expect((await visit('/admin/audit')).html).toMatch(/Message answered[^]*by mia/);
  });

  test('says what is wrong with an answer, and keeps a long one', async () => {
    const server = await board();
    const path = await write(server, await aVisitor(server, 'otto'));
    const visit = await aVisitor(server, 'ann', 'admin');

    const empty = await visit(path, { action: 'answer', answer: ' ' });
    const long = await visit(path, { action: 'answer', answer: 'x'.repeat(5001) });
    const unknown = await visit(`${HERE}/nothing`, { action: 'answer', answer: 'x' });
    const odd = await visit(path, { action: 'burn' });

    expect(empty.status).toBe(422);
    expect(empty.html).toMatch(/id="answer-fault"[^>]*>\s*Must not be empty\./);
    expect(long.html).toContain('x'.repeat(5001));
    expect([long.status, unknown.status, odd.status]).toEqual([422, 404, 422]);
    expect((await visit(path)).html).toContain('Send answer');
  });

  test('shows the second of two admins what the first did, and keeps the unsent answer', async () => {
    const server = await board();
    const path = await write(server, await aVisitor(server, 'oona'));
    const first = await aVisitor(server, 'ann', 'admin');
    const second = await aVisitor(server, 'mia', 'moderator');

    await first(path, { action: 'answer', answer: 'Yes' });
    const late = await second(path, { action: 'answer', answer: 'A late answer' });
    const done = await second(path, { action: 'done' });

    expect([late.status, done.status]).toEqual([409, 409]);
    expect(late.html).toMatch(/answered by ann on .*Nothing was changed or sent/);
    expect(late.html).toMatch(/by ann[^]*Your answer, which was not sent[^]*A late answer/);
    expect((await second(path)).html).not.toContain('A late answer');
    expect((await second(path, { action: 'reopen' })).location).toBe(`${path}?done=reopen`);
    const again = await second(path, { action: 'answer', answer: 'More' });
    expect(again.location).toBe(`${path}?done=answer`);
  });

  test('lists open messages first, in pages of 20', async () => {
    const server = await board();
    const operator = await aVisitor(server, 'olaf');
    const visit = await aVisitor(server, 'ann', 'admin');
    const path = await write(server, operator, { subject: 'The first', message: 'x' });
    await visit(path, { action: 'done' });
    for (let at = 0; at < 4; at += 1) await write(server, operator);
    const list = await visit(HERE);

    expect(list.html.indexOf('Open, from olaf')).toBeLessThan(list.html.indexOf('Done, from olaf'));
    expect((await visit(`${HERE}?page=99`)).html).toContain('There are no more messages.');
  });
});

describe('an answer by email', () => {
  test('goes as plain text to the confirmed address; a rejected one leaves the message open', async () => {
    const post = await aMailServer();
    const env = { SMTP_URL: post.smtpUrl, MAIL_FROM: 'board@example.org' };
    const server = await startServer({ env });
    const operator = await aVisitor(server, 'ada');
    const visit = await aVisitor(server, 'ann', 'admin');
    const path = await write(server, operator);
    expect((await visit(path)).html).toContain('email is off in the settings of the account');
    await confirm(operator, post, 'ada@example.org');
    const sent = post.mails.length;

    expect((await visit(path)).html).toMatch(/name="mail"[^>]* checked/);
    const form = { action: 'answer', answer: '<b>Yes</b>\nBcc: all@example.org', mail: '1' };
    expect((await visit(path, form)).location).toBe(`${path}?done=mail`);

    const [mail, ...others] = post.mails.slice(sent);
    expect([others, mail?.to]).toEqual([[], ['ada@example.org']]);
    const [head = '', ...body] = mail?.text.split('\r\n\r\n') ?? [];
    expect(head).toContain('Subject: Re: A <b>bold</b> subject');
    expect(head).toContain('Content-Type: text/plain');
    expect(head).not.toMatch(/^bcc/im);
    expect(body.join('\n\n')).toContain('<b>Yes</b>\r\nBcc: all@example.org');
    const command = ['messages', 'answer', path.slice(HERE.length + 1), '--text', 'Yes'];
    const blind = await runAdmin(command, { DATA_DIR: server.dataDir });
    expect([blind.status, blind.stderr]).toEqual([1, expect.stringMatching(/SMTP_URL.*unknown/)]);

    const other = await aVisitor(server, 'bob');
    await confirm(other, post, 'bob@example.org');
    const path2 = await write(server, other);
    await post.close();
    const failed = await visit(path2, { ...form, answer: 'A long text' });
    expect(failed.status).toBe(503);
    expect(failed.html).toMatch(/The email was not sent[^]*The message is still open/);
    expect(failed.html).toContain('A long text');
    expect((await visit(path2, { action: 'answer', answer: 'Yes' })).location).toBe(
      `${path2}?done=answer`,
    );
    expect(server.log()).toContain('answer_mail_failed');
    expect(server.log()).not.toContain('bob@example.org');
  });
});
