import { describe, expect, test, vi } from 'vitest';
import type { AppContext } from '#server/context.ts';
import { createDevMailbox, readDevMail } from '#server/mail/mailer.ts';
import { readSignInMethods } from '#server/identity/sign-in/sign-in-methods.ts';
import { readProxies } from '#server/config/config.ts';
import { testContext } from '#tests/support/board/context.ts';

const HOST = '127.0.0.1:4321';
const UPSTREAM = {
  clientId: 'a',
  clientSecret: 'b',
  url: 'https://x.test',
  apiUrl: 'https://x.test',
};

const AUTHORITY = {
  url: 'https://auth.test',
  clientId: 'a',
  clientSecret: null,
  audience: null,
  accessTokenTyp: 'at+jwt',
};

const aVisit = (headers: Record<string, string> = {}, peer = '127.0.0.1') => ({
  request: new Request('http://127.0.0.1:4321/dev/mail', { headers: { host: HOST, ...headers } }),
  peer,
});

const withConfig = (over: Partial<AppContext['config']>) => {
  const ctx = testContext();
  // The mailbox exists, so that access depends only on the visit.
  return { ...ctx, config: { ...ctx.config, ...over } };
};

describe('the local mailbox', () => {
  test.each([
    ['by its name', aVisit()],
    ['over IPv6', aVisit({}, '::1')],
    ['over IPv6 with an IPv4 address', aVisit({}, '::ffff:127.0.0.1')],
  ])('is open to local visits: %s', (_, visit) => {
    const ctx = testContext();

    expect(readDevMail(ctx, visit)).toEqual([]);
    expect(readSignInMethods(ctx, visit)).toEqual(['email_magic_link']);
  });

  test.each([
    ['a peer elsewhere', aVisit({}, '192.0.2.7')],
    ['a peer elsewhere in IPv6', aVisit({}, '::ffff:192.0.2.7')],
    ['no peer', aVisit({}, '')],
    ['a peer that is not an IP address', aVisit({}, 'localhost')],
    ['another name', aVisit({ host: 'rebound.example:4321' })],
    ['another port', aVisit({ host: '127.0.0.1:80' })],
    ['two names', aVisit({ host: `${HOST}, ${HOST}` })],
    ['Forwarded', aVisit({ forwarded: 'for=192.0.2.7' })],
    ['X-Forwarded-For', aVisit({ 'x-forwarded-for': '127.0.0.1' })],
    ['X-Forwarded-Host', aVisit({ 'x-forwarded-host': HOST })],
    ['X-Forwarded-Proto', aVisit({ 'x-forwarded-proto': 'http' })],
    ['X-Real-IP', aVisit({ 'x-real-ip': '127.0.0.1' })],
    ['Via', aVisit({ via: '1.1 proxy' })],
    ['CF-Connecting-IP', aVisit({ 'cf-connecting-ip': '192.0.2.7' })],
    ['X-Original-For', aVisit({ 'x-original-for': '192.0.2.7' })],
  ])('is closed to a visit with %s', (_, visit) => {
    const ctx = testContext();

    expect(readDevMail(ctx, visit)).toBeNull();
    expect(readSignInMethods(ctx, visit)).toEqual([]);
  });

  test.each([
    ['a public address', { baseUrl: 'http://bench.example:4321' }, 'bench.example:4321'],
    ['a public host', { host: '0.0.0.0' }, HOST],
    ['trusted proxies', { trustedProxies: readProxies('loopback') }, HOST],
  ])('is closed at a board with %s', (_, over, host) => {
    const ctx = withConfig(over);

    expect(ctx.devMail).not.toBeNull();
    expect(readDevMail(ctx, aVisit({ host }))).toBeNull();
  });

  test('does not exist if email is set up, and is not open to other computers', () => {
    const mail = { smtpUrl: 'smtp://127.0.0.1:1', from: 'board@example.org' };
    const signIn = { ...testContext().config.signIn, mail };
    const set = testContext({ signIn });
    const away = testContext({ baseUrl: 'https://bench.example' });
    const foreign = testContext({ signIn: { ...signIn, mail: null, authority: AUTHORITY } });

    expect([set.devMail, away.devMail, foreign.devMail]).toEqual([null, null, null]);
    expect(readSignInMethods(set, aVisit({}, '192.0.2.7'))).toEqual(['email_magic_link']);
    expect(readSignInMethods(away, aVisit({ host: 'bench.example' }))).toEqual(['passkey']);
  });

  test('keeps the last 20 emails, newest first, and prints links on the console only', async () => {
    const write = vi.fn();
    const box = createDevMailbox(write, () => new Date());
    for (let at = 1; at <= 21; at += 1) {
      await box.send({ to: 'ada@x.org', subject: `${at}`, text: `Look:\n\nhttp://b/${at}\n` });
    }

    expect(box.mails().map(({ subject }) => subject)).toEqual(
      Array.from({ length: 20 }, (_, at) => `${21 - at}`),
    );
    expect(write.mock.lastCall?.[0]).toMatch(/http:\/\/b\/21\n$/);
    expect(write.mock.lastCall?.[0]).not.toContain('ada@');
  });
});

describe('readSignInMethods()', () => {
  test('offers the configured methods, and none with an external provider', () => {
    const signIn = { ...testContext().config.signIn, github: UPSTREAM, twitter: UPSTREAM };

    const own = withConfig({ signIn });
    const foreign = withConfig({ signIn: { ...signIn, authority: AUTHORITY } });
    expect(readSignInMethods(own, aVisit())).toEqual(['github', 'twitter', 'email_magic_link']);
    expect(readSignInMethods(foreign, aVisit())).toEqual([]);
  });
});
