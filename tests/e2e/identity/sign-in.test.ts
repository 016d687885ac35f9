import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { SessionState, Sessions } from '#core/contract/sessions.ts';
import { aMailServer } from '#tests/support/http/post-office.ts';
import { startServer } from '#tests/support/http/server.ts';
import { CLIENT, type Site, aSite, visit } from '#tests/support/http/upstream.ts';
import { Visitor } from '#tests/support/http/visitor.ts';
import { plainBoard } from '#tests/support/http/worker-boards.ts';

const METHODS = '/settings/sign-in';

/** Opens the provider's sign-in page. Returns its path. */
async function asked(visitor: Visitor): Promise<string> {
  const { url, headers } = await visitor.open('/login');
  const { pathname } = new URL(url);
  const { headers: byMail, text } = await visitor.open(`${pathname}/mail`);
  // The address does not reveal the interaction. The form sends its own origin.
  expect([headers, byMail].map((each) => each.get('referrer-policy'))).toEqual([
    'no-referrer',
    'no-referrer',
  ]);
  expect(text).toContain('<meta name="referrer" content="strict-origin">');
  expect(pathname).toMatch(/^\/login\/interaction\/[\w-]+$/);
  return pathname;
}

const tokenIn = (text = '') => /\/login\/mail\/link\?token=([\w-]+)/.exec(text)?.[1] ?? '';

async function codenameOf(visitor: Visitor): Promise<string | undefined> {
  const response = await visitor.request('/api/auth/session');
  return ((await response.json()) as SessionState).operator?.codename;
}

function settingsOf(site: Site): Record<string, string> {
  return {
    GITHUB_CLIENT_ID: CLIENT.clientId,
    GITHUB_CLIENT_SECRET: CLIENT.clientSecret,
    GITHUB_URL: site.url,
    GITHUB_API_URL: site.url,
  };
}

test('operators sign in by email and with a site, link a method, and sign out browsers', async () => {
  const [post, site] = [await aMailServer(), await aSite('github')];
  const mail = { SMTP_URL: post.smtpUrl, MAIL_FROM: 'board@example.org' };
  const { url, log } = await startServer({ env: { ...settingsOf(site), ...mail } });
  const [ada, phone, eve] = [new Visitor(url), new Visitor(url), new Visitor(url)];

  // By email: a scanner that opens the link does not use it, and a forwarded link is useless.
  const waiting = await ada.post(`${await asked(ada)}/mail`, { address: 'ada@example.org' });
  const token = tokenIn(post.mails[0]?.text);
  const link = `/login/mail/link?token=${token}`;
  const scanned = await Promise.all([eve.open(link), eve.request(link, { method: 'HEAD' })]);
  const passedOn = await eve.post('/login/mail/link', { token, code: '' });
  const opened = await ada.open(link);
  const signedIn = await ada.post('/login/mail/link', { token });
  const replayed = await ada.post('/login/mail/link', { token });
  expect(waiting).toMatchObject({ url: `${url}/login/mail`, status: 200 });
  expect(waiting.headers.get('referrer-policy')).toBe('no-referrer');
  expect(waiting.text).toMatch(/a•••@example\.org[^]*\d{3} \d{3}/);
  expect(scanned.map(({ status }) => status)).toEqual([200, 200]);
  expect(passedOn.status).toBe(422);
  expect(opened.text).toContain('Sign in as a•••@example.org');
  expect(signedIn).toMatchObject({ url: `${url}/settings`, status: 200 });
  expect(replayed.status).toBe(422);
  expect(await codenameOf(eve)).toBeUndefined();
  expect(await codenameOf(ada)).toMatch(/^[a-z]+-[a-z]+-\d+$/);

  // A method is linked with the board's own form, in the browser that sent it.
  const body = new URLSearchParams({ action: 'link-github' });
  const foreign = { 'Sec-Fetch-Site': 'cross-site' };
  const forged = await ada.open(METHODS, { method: 'POST', body, headers: foreign });
  const onward = await ada.post(METHODS, { action: 'link-github' });
  const { href } = await visit(onward.url);
  const stolen = await eve.open(href);
  const linked = await ada.open(href);
  const relinked = await ada.open(href);
  expect(stolen.headers.get('referrer-policy')).toBe('no-referrer');
  expect([forged.status, stolen.status, relinked.status]).toEqual([403, 422, 422]);
  expect(linked).toMatchObject({ url: `${url}${METHODS}?done=linked`, status: 200 });
  expect(linked.text).toContain('octocat');

  // Another browser signs in with the site, as the same operator, and signs out the first one.
  const left = await phone.open(`${await asked(phone)}/github`);
  const arrived = await phone.open((await visit(left.url)).href);
  expect(arrived).toMatchObject({ url: `${url}/settings`, status: 200 });
  expect(await codenameOf(phone)).toBe(await codenameOf(ada));
  const list = await phone.request('/api/v1/account/sessions');
  const { sessions } = (await list.json()) as Sessions;
  expect(sessions).toMatchObject([
    { current: true, method: 'github' },
    { current: false, method: 'email_magic_link' },
  ]);
  const other = `/api/v1/account/sessions/${sessions[1]?.id}`;
  const ended = await phone.request(other, { method: 'DELETE' });
  expect(await ended.json()).toEqual(sessions[1]);
  expect([await codenameOf(ada), await codenameOf(phone)]).toEqual([undefined, expect.any(String)]);

  // The log contains nothing that opens an account or identifies a person.
  expect(log()).not.toMatch(new RegExp(`ada@|octocat|${token}`));
});

test("an admin without configuration can sign in on the board's own host, and no one else can", async () => {
  const { url, log } = await plainBoard();
  const admin = new Visitor(url);

  const waiting = await admin.post(`${await asked(admin)}/mail`, { address: 'k@example.org' });
  const mailbox = await admin.open('/dev/mail');
  const signedIn = await admin.post('/login/mail/link', { token: tokenIn(mailbox.text) });
  expect(waiting.text).toContain('href="/dev/mail"');
  expect(signedIn).toMatchObject({ url: `${url}/settings`, status: 200 });
  expect(log()).toContain(tokenIn(mailbox.text));

  const headers = { 'X-Forwarded-For': '192.0.2.7' };
  const closed = await admin.open('/dev/mail', { headers });
  const unasked = await new Visitor(url).open('/login', { headers });
  expect(closed.status).toBe(404);
  expect(closed.text).not.toContain('token=');
  expect(unasked).toMatchObject({ url: `${url}/login`, status: 200 });
  expect(unasked.text).toContain('href="/docs/run"');
  expect(await overHttp10(url, '/dev/mail')).toMatch(/^HTTP\/1\.1 404 /);
});

/** A request as a proxy with default settings sends it, with the board's own address as host. */
async function overHttp10(url: string, path: string): Promise<string> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.end(`GET ${path} HTTP/1.0\r\nHost: ${host}\r\n\r\n`);
  return text(socket);
}
