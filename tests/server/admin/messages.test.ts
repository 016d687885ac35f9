import { describe, expect, test } from 'vitest';
import { contactAdmin } from '#server/messages/contact-admin.ts';
import { testContext } from '#tests/support/board/context.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { TEXT, aMessage, confirmAddress } from '#tests/support/board/messages.ts';
import { aMailServer } from '#tests/support/http/post-office.ts';

const ANSWER = ['--text', 'It is forgotten.'];
const NOBODY = '5b0c9d1e-2f3a-4b5c-8d7e-9f0a1b2c3d4e';

function aScene(env: Record<string, string> = {}) {
  const ctx = testContext();
  const id = aMessage(ctx);
  const run = (...words: string[]) =>
    runAdmin(['messages', ...words], { DATA_DIR: ctx.config.dataDir, ...env });
  const json = async (...words: string[]) => {
    const { stdout } = await run(...words, '--json');
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  return { ctx, id, run, json };
}

describe('messages', () => {
  test('prints the same as before it had subcommands', async () => {
    const { ctx, id, run, json } = aScene();
    const created_at = ctx.now().toISOString();

    const { stdout } = await run();
    expect(stdout).toBe(
      `${created_at} ada, not mailed (${id})\n  A lost device\n\n  May it be forgotten?\n  Ada\n\n`,
    );
    expect(await json()).toEqual({
      entries: [{ id, codename: 'ada', created_at, mailed_at: null, ...TEXT }],
    });
    expect((await run('show', id)).stdout).toBe(stdout);
  });

  test('lists, marks as done and opens again', async () => {
    const { ctx, id, run, json } = aScene();
    const created_at = ctx.now().toISOString();
    const open = { id, state: 'open', codename: 'ada', created_at, mailed_at: null, done_at: null };

    expect(await json('list')).toEqual({
      entries: [{ ...open, answers: 0, subject: TEXT.subject }],
    });
    expect(await json('done', id)).toEqual({ id, state: 'done' });
    expect(await run('list', '--open')).toMatchObject({
      stdout: '',
      stderr: 'No message is open.\n',
    });
    expect((await run('list')).stdout).toMatch(/\n\S+ {2}done {3}.*ada {3}0 {8}A lost device\n$/);
    const again = await run('done', id);
    expect([again.status, again.stderr]).toEqual([
      3,
      expect.stringMatching(/marked as done by a command on the server on .*Nothing was/),
    ]);
    expect(await json('reopen', id)).toEqual({ id, state: 'open' });
    expect(await json('list', '--open')).toMatchObject({ entries: [open] });
  });

  test.each([
    [['show', NOBODY], 3, `There is no message ${NOBODY}`],
    [['answer', NOBODY, ...ANSWER], 3, `There is no message ${NOBODY}`],
    [['done'], 1, 'messages done'],
    [['answer', NOBODY], 1, 'messages answer needs --text'],
    [['answer', 'ID', '--text', ' '], 1, 'The answer must not be empty'],
    [['shwo'], 1, 'Did you mean "show"?'],
    [['--limit', '3'], 1, 'messages does not take --limit'],
  ])('%j ends with %i: %s', async (words, status, text) => {
    const { id, run } = aScene();
    const ended = await run(...words.map((word) => (word === 'ID' ? id : word)));
    expect([ended.status, ended.stderr]).toEqual([status, expect.stringContaining(text)]);
  });
});

describe('messages answer', () => {
  test('answers in the settings, and says why not by email', async () => {
    const { id, run, json } = aScene();
    const { status, stderr } = await run('answer', id, ...ANSWER);

    expect(status).toBe(0);
    expect(stderr).toContain('not emailed: this board cannot send email: set SMTP_URL');
    const shown = await json('show', id);
    expect(shown).toMatchObject({
      state: 'done',
      message: TEXT.message,
      answers: [{ actor: null, via: 'command', is_mailed: false, answer: 'It is forgotten.' }],
    });
    expect((await run('show', id)).stdout).toMatch(
      /answered by a command, not mailed\n\n {2}It is forgotten\.\n\n$/,
    );
  });

  test('emails the answer to the address that the operator confirmed, unless told not to', async () => {
    const post = await aMailServer();
    const { ctx, id, json } = aScene({ SMTP_URL: post.smtpUrl, MAIL_FROM: 'board@example.org' });
    confirmAddress(ctx, 'ada', 'ada@example.org');

    expect(await json('answer', id, ...ANSWER)).toEqual({ id, state: 'done', is_mailed: true });
    expect(post.mails).toMatchObject([
      { to: ['ada@example.org'], text: expect.stringMatching(/Subject: Re: A lost device/) },
    ]);
    const other = contactAdmin(ctx, 1, TEXT).id;
    expect(await json('answer', other, ...ANSWER, '--no-email')).toMatchObject({
      is_mailed: false,
    });
    expect(post.mails).toHaveLength(1);
  });

  test('stores nothing if the email fails', async () => {
    const post = await aMailServer();
    const env = { SMTP_URL: post.smtpUrl, MAIL_FROM: 'board@example.org' };
    const { ctx, id, run, json } = aScene(env);
    confirmAddress(ctx, 'ada', 'nobody@example.org');

    const { status, stderr } = await run('answer', id, ...ANSWER);

    expect([status, stderr]).toEqual([3, expect.stringContaining('The message is still open')]);
    expect(stderr).not.toContain('nobody@');
    expect(await json('show', id)).toMatchObject({ state: 'open', answers: [] });
  });
});
