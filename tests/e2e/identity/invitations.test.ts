import { describe, expect, test } from 'vitest';
import { runBuilt } from '#tests/support/http/process.ts';
import { type RunningServer, sharedServer } from '#tests/support/http/server.ts';
import { Visitor } from '#tests/support/http/visitor.ts';

/** Runs the admin's `invite` command next to a running server. */
const invite = ({ dataDir }: RunningServer, ...args: string[]) =>
  runBuilt('opbench-board.mjs', ['invite', ...args], { DATA_DIR: dataDir });

describe('a board by invitation', () => {
  const aServer = sharedServer(() => ({ env: { JOIN: 'invite', READ: 'members' } }));

  test('takes a person with a link from the shell, and nobody with the same link afterwards', async () => {
    const server = await aServer();
    const created = await invite(server, 'create', '--for', 'the spring challenge');
    const path = new URL(created.stdout.trim()).pathname;

    const ada = new Visitor(server.url);
    const landing = await ada.open(path);
    const asked = await ada.post(path, {});
    const joined = await ada.answerByMail(asked, 'ada@example.org');
    const bo = new Visitor(server.url);
    const late = await bo.open(path);
    const refused = await bo.signIn('bo@example.org');
    const again = await new Visitor(server.url).signIn('ada@example.org');

    expect([landing.status, joined.status, again.status]).toEqual([200, 200, 200]);
    expect(landing.text).toContain('the spring challenge');
    expect(joined.url).toBe(`${server.url}/settings`);
    expect(late.status).toBe(422);
    expect(late.text).toContain('used as often as it allows');
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('Ask an admin of the board for an invitation');
    expect(server.log()).not.toContain(path);
  });

  test('takes a person who opens the email on another device than the invitation', async () => {
    const server = await aServer();
    const { stdout } = await invite(server, 'create', '--for', 'friends', '--uses', '2');
    const computer = new Visitor(server.url);
    const asked = await computer.post(new URL(stdout.trim()).pathname, {});
    const waiting = await computer.post(`${new URL(asked.url).pathname}/mail`, {
      address: 'cleo@example.org',
    });
    const code = /class="code[^>]*>\s*([\d ]+)/.exec(waiting.text)?.[1] ?? '';
    const { text } = await computer.open('/dev/mail');
    const token = /\/login\/mail\/link\?token=([\w-]+)/.exec(text)?.[1] ?? '';

    const phone = new Visitor(server.url);
    const joined = await phone.post('/login/mail/link', { token, code });

    expect([joined.status, joined.url]).toEqual([200, `${server.url}/settings`]);
  });

  test('lists and revokes invitations, and explains wrong input', async () => {
    const server = await aServer();
    const { stdout } = await invite(server, 'create', '--for', 'staff', '--json');
    const { id, url } = JSON.parse(stdout) as { id: string; url: string };

    const revoked = await invite(server, 'revoke', id);
    const listed = await invite(server, 'list', '--json');
    const twice = await invite(server, 'revoke', id);
    const noText = await invite(server, 'create');
    const noMail = await invite(server, 'mail', 'ada@example.org', '--for', 'staff');

    expect([revoked.status, twice.status, noText.status, noMail.status]).toEqual([0, 3, 1, 1]);
    const { entries } = JSON.parse(listed.stdout) as { entries: { id: string; state: string }[] };
    expect(entries.find((entry) => entry.id === id)?.state).toBe('revoked');
    expect(listed.stdout).not.toContain(url.split('/').at(-1));
    expect(twice.stderr).toContain('already revoked');
    expect(noMail.stderr).toContain('SMTP_URL');
  });
});
