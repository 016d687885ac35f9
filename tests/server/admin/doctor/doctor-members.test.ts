/** What `doctor` says about members: who can join, how they sign in, and email to them. */
import { describe, expect, test } from 'vitest';
import { queueDueMails } from '#server/member-mail/member-mail.ts';
import { BASE_URL } from '#tests/support/board/builders.ts';
import { aDataDir, publish } from '#tests/support/board/context.ts';
import { AFTER, aBoard, examine } from '#tests/support/board/doctor.ts';
import { aMailScene } from '#tests/support/board/member-mail.ts';

const GITHUB = { GITHUB_CLIENT_ID: 'a', GITHUB_CLIENT_SECRET: 'b' };

describe('readers and new operators', () => {
  test('are not mentioned if the settings fit', async () => {
    const { settings } = await aBoard();
    const access = { READ: 'members', JOIN: 'domain', PUBLIC_BADGES: 'yes' };
    const rules = { JOIN_MAIL_DOMAINS: 'example.org', JOIN_GITHUB_ORGANIZATIONS: 'acme' };

    const found = await examine({ ...settings, ...access, ...rules, ...GITHUB }, '--offline');

    expect(found).toMatchObject(AFTER);
  });

  test.each([
    [{ JOIN: 'domain' }, 'JOIN: is domain, so set JOIN_MAIL_DOMAINS'],
    [{ JOIN: 'friends' }, 'JOIN: must be open, invite or domain'],
    [{ READ: 'nobody' }, 'READ: must be public or members'],
    [{ JOIN_MAIL_DOMAINS: '@example.org' }, 'JOIN_MAIL_DOMAINS: "@example.org" must be a domain'],
    [{ JOIN_GITHUB_ORGANIZATIONS: 'acme' }, 'JOIN_GITHUB_ORGANIZATIONS: needs sign-in with GitHub'],
    [{ JOIN_CLAIMS: 'groups=opbench' }, 'JOIN_CLAIMS: needs an OpenID provider'],
    [{ PASSKEYS: 'no' }, 'PASSKEYS: must be open, members or off'],
  ])('with %j are a problem', async (env, text) => {
    const { status, told } = await examine({ DATA_DIR: aDataDir(), ...env }, '--offline');

    expect([status, told]).toEqual([
      1,
      [expect.stringContaining(`problem configuration: ${text}`)],
    ]);
  });

  test('with rules that nothing uses cause a warning', async () => {
    const { settings } = await aBoard();
    const env = { JOIN: 'invite', JOIN_MAIL_DOMAINS: 'example.org' };

    const { status, told } = await examine({ ...settings, ...env }, '--offline');

    const idle = 'warning configuration: no effect: JOIN_MAIL_DOMAINS (JOIN is invite)';
    expect([status, told]).toEqual([0, [idle, ...AFTER.told]]);
  });
});

test('passkeys that work at no address of the board lead to the advice to use HTTPS', async () => {
  const address = { BASE_URL: 'http://board.example.org', TRUST_PROXY: 'loopback' };
  const { checks } = await examine({ DATA_DIR: aDataDir(), ...address }, '--offline');
  const advice = checks.filter(({ text }) => text.includes('only with a link that you create'));

  expect(advice).toMatchObject([
    {
      severity: 'warning',
      about: 'configuration',
      advice: expect.stringMatching(/^Serve the board over HTTPS for passkeys, or set up GitHub/),
    },
  ]);
});

describe('email to members', () => {
  const waiting = async (DATA_DIR: string) => {
    const { checks, printed } = await examine({ DATA_DIR, BASE_URL }, '--offline');
    expect(printed).not.toContain('ada@');
    return checks.filter(({ about }) => about === 'mail queue');
  };

  test('that waits is counted, and not once it is sent', async () => {
    const { ctx, goTo, run } = await aMailScene();
    goTo('2026-03-16T08:00:00.000Z');
    const publication = publish(ctx, 7);
    await queueDueMails(ctx, publication);

    expect(await waiting(ctx.config.dataDir)).toMatchObject([
      { severity: 'ok', text: '1 email to members waiting' },
    ]);
    await run(publication);
    expect(await waiting(ctx.config.dataDir)).toMatchObject([
      { severity: 'ok', text: '0 emails to members waiting' },
    ]);
  });

  test('is not mentioned in a database of a version without it', async () => {
    const { settings, change } = await aBoard();
    change('DROP TABLE mail_queue');

    expect(await waiting(settings.DATA_DIR)).toEqual([]);
  });
});
