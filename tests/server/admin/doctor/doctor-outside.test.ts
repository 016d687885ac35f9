import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { clockChecks } from '#server/admin/doctor/outside.ts';
import { NOW_MS } from '#tests/support/board/builders.ts';
import { AFTER, aBoard, examine } from '#tests/support/board/doctor.ts';
import { aMailServer } from '#tests/support/http/post-office.ts';
import { CLIENT, aSite } from '#tests/support/http/upstream.ts';

/** A mail server that knows one password. */
async function aGuardedMailServer(): Promise<number> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, callback) => {
      const isKnown = username === 'ada' && password === 'hunter2';
      callback(isKnown ? null : new Error(`No ${username} ${password}`), { user: 'ada' });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => void server.close(resolve)));
  return (server.server.address() as AddressInfo).port;
}

describe('mail', () => {
  test('is checked without sending any', async () => {
    const { settings } = await aBoard();
    const office = await aMailServer();
    const found = await examine({ ...settings, SMTP_URL: office.smtpUrl, MAIL_FROM: 'a@b.org' });
    expect(found).toMatchObject(AFTER);
    expect(found.printed).toContain('no mail was sent');
    expect(office.mails).toEqual([]);
  });

  test('with a wrong password is a problem, without printing the password', async () => {
    const { settings } = await aBoard();
    const port = await aGuardedMailServer();
    const set = (password: string) => ({
      ...settings,
      SMTP_URL: `smtp://ada:${password}@127.0.0.1:${port}`,
      MAIL_FROM: 'a@b.org',
    });
    expect(await examine(set('hunter2'))).toMatchObject(AFTER);

    const { status, told, printed } = await examine(set('s3cr3t'));

    expect([status, told[0]]).toEqual([
      3,
      expect.stringMatching(/^problem mail: 127\.0\.0\.1:\d+ .*SMTP_URL \(EAUTH 535\)$/),
    ]);
    expect(printed).not.toContain('s3cr3t');
  });

  test('that does not respond is a problem, and is not checked with --offline', async () => {
    const { settings } = await aBoard();
    const set = { ...settings, SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@b.org' };
    const { status, told } = await examine(set);
    expect([status, told[0]]).toEqual([
      3,
      'problem mail: 127.0.0.1:9 does not accept mail (ESOCKET)',
    ]);
    expect(await examine(set, '--offline')).toMatchObject(AFTER);
  });
});

/** An OpenID provider with the given metadata and clock. */
async function aProvider(metadata: string, dateMs = NOW_MS + 60_000): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('Date', new Date(dateMs).toUTCString());
    response.end(metadata.replace('ISSUER', url));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return url;
}

describe('sign-in', () => {
  test('at a provider needs its exact issuer', async () => {
    const { settings } = await aBoard();
    const set = (url: string) => ({ ...settings, AUTH_URL: url, AUTH_CLIENT_ID: 'board' });
    const [right, other] = [
      await aProvider('{"issuer":"ISSUER"}'),
      await aProvider('{"issuer":"ISSUER/"}'),
    ];

    expect(await examine(set(right))).toMatchObject(AFTER);
    const { status, told } = await examine(set(other));
    expect([status, told[0]]).toEqual([
      3,
      `problem sign-in: AUTH_URL is ${other}, but the provider's issuer is ${other}/`,
    ]);
    const [nothing = ''] = (await examine(set(await aProvider('hello')))).told;
    expect(nothing).toContain('is not an OpenID provider');
    const [gone = ''] = (await examine(set('http://127.0.0.1:9'))).told;
    expect(gone).toContain('/.well-known/openid-configuration does not respond');
  });

  test('at GitHub needs its client ID and secret', async () => {
    const { settings } = await aBoard();
    const github = await aSite('github');
    const set = (secret: string) => ({
      ...settings,
      GITHUB_CLIENT_ID: CLIENT.clientId,
      GITHUB_CLIENT_SECRET: secret,
      GITHUB_URL: github.url,
      GITHUB_API_URL: github.url,
    });

    // The server of this test sends the real time.
    const onSigningIn = async (secret: string) => {
      const { checks, printed } = await examine(set(secret));
      expect(printed).not.toContain(secret);
      return checks.find(({ about }) => about === 'sign-in');
    };
    expect(await onSigningIn(CLIENT.clientSecret)).toMatchObject({ severity: 'ok' });
    expect(await onSigningIn('s3cr3t')).toMatchObject({
      severity: 'problem',
      text: expect.stringMatching(/GitHub.*incorrect_client_credentials/) as string,
      advice: expect.stringContaining('GITHUB_CLIENT_ID') as string,
    });
    github.asked.length = 0;
    expect(await examine(set('s3cr3t'), '--offline')).toMatchObject(AFTER);
    expect(github.asked).toEqual([]);
  });
});

describe('the clock', () => {
  test('is compared with the clock of a provider', async () => {
    const { settings } = await aBoard();
    const url = await aProvider('{"issuer":"ISSUER"}', NOW_MS + 60_000 + 3_600_000);
    const { status, told } = await examine({ ...settings, AUTH_URL: url, AUTH_CLIENT_ID: 'b' });
    expect([status, told[0]]).toEqual([
      3,
      'problem clock: the clock is 60 minutes behind the clocks of other hosts',
    ]);
  });

  test.each([
    [[], null, 'ok'],
    [[], -1_000, 'ok'],
    [[], 60_000, 'problem'],
    [[-2_000], -1_000, 'ok'],
    [[40_000], -1_000, 'warning'],
    [[-400_000], -1_000, 'problem'],
    [[0, 9_000_000, 1_000], -1_000, 'ok'],
  ])('ahead by %j, and the newest entry %s ms later, is %s', (ahead, entry, severity) => {
    const newest = entry === null ? null : new Date(Date.now() + entry).toISOString();
    expect(clockChecks(ahead, newest)).toMatchObject([{ severity }]);
  });
});
