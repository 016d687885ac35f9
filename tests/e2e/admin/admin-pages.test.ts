import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { closeMessage } from '#server/messages/close-message.ts';
import {
  CALLERS,
  type Who,
  anAccount,
  cookieOf,
  inStore,
} from '#tests/support/http/admin-callers.ts';
import { type RunningServer, sharedServer } from '#tests/support/http/server.ts';

const SIGN_IN = /^\/login\?return_to=/;
const AGAIN = /^\/login\?return_to=[^&]+&again=1&lost=form$/;

/** What happens: the page, the page for unknown addresses, an error on the page, or a sign-in. */
type Outcome = 'again' | 'done' | 'missing' | 'refused' | 'shown' | 'sign-in';
type Expected = Readonly<Record<Who, Outcome>>;

const forStaff: Expected = {
  nobody: 'sign-in',
  operator: 'missing',
  moderator: 'shown',
  'old admin': 'shown',
  admin: 'shown',
};
const forAdmins: Expected = { ...forStaff, moderator: 'missing' };
const byStaff: Expected = { ...forStaff, moderator: 'done', 'old admin': 'done', admin: 'done' };
const recentOnly: Expected = {
  ...byStaff,
  moderator: 'refused',
  'old admin': 'again',
};

/** Every admin page. A route without an entry fails the test. */
const PAGES: Readonly<Record<string, Expected>> = {
  '/admin': forStaff,
  '/admin/operators': forStaff,
  '/admin/operators/{codename}': forStaff,
  '/admin/audit': forStaff,
  '/admin/health': forAdmins,
  '/admin/decisions': forStaff,
  '/admin/messages': forStaff,
  '/admin/messages/{id}': {
    ...forStaff,
    moderator: 'missing',
    'old admin': 'missing',
    admin: 'missing',
  },
  '/admin/challenges': forAdmins,
  '/admin/challenges/{id}': { ...forAdmins, 'old admin': 'missing', admin: 'missing' },
  '/admin/keys': forAdmins,
  '/admin/invitations': forAdmins,
  '/admin/announcement': forAdmins,
  '/admin/webhooks': forAdmins,
};

type Actions = readonly (readonly [
  action: string,
  form: Readonly<Record<string, string>>,
  expected: Expected,
  role?: 'admin' | 'moderator',
])[];

/** Every action, with its form. The subject is a new operator, except where the row names another. */
const ACTIONS: Actions = [
  ['hide', { reason: 'A test' }, byStaff],
  ['hide', { reason: 'A test' }, { ...byStaff, moderator: 'refused' }, 'moderator'],
  ['hide', { reason: 'A test' }, { ...byStaff, moderator: 'refused' }, 'admin'],
  ['sign-in-link', {}, { ...recentOnly, admin: 'shown' }],
  ['end-sessions', {}, recentOnly],
  ['role', { role: 'moderator' }, recentOnly],
];

/** Every action on the page of a message, from an operator or from the role that the row names. */
const MESSAGE_ACTIONS: Actions = [
  ['answer', { answer: 'Yes' }, { ...byStaff, 'old admin': 'again' }],
  ['answer', { answer: 'Yes' }, { ...recentOnly }, 'moderator'],
  ['answer', { answer: 'Yes' }, { ...recentOnly }, 'admin'],
  ['done', {}, byStaff],
  ['done', {}, { ...byStaff, moderator: 'refused' }, 'moderator'],
  ['reopen', {}, byStaff],
  ['reopen', {}, { ...byStaff, moderator: 'refused' }, 'admin'],
];

const server = sharedServer();

async function outcomeOf(response: Response): Promise<Outcome> {
  const location = (response.headers.get('location') ?? '').replace(/^https?:\/\/[^/]+/, '');
  expect(response.headers.get('cache-control')).toBe('no-store');
  if (AGAIN.test(location)) return 'again';
  if (SIGN_IN.test(location)) return 'sign-in';
  if (response.status === 303) return 'done';
  if (response.status === 403) return 'refused';
  const text = await response.text();
  if (response.status === 404) {
    expect(text).toContain('This board has no page at this address');
    return 'missing';
  }
  expect([response.status, text.includes('noindex')]).toEqual([200, true]);
  return 'shown';
}

async function ask(board: RunningServer, path: string, who: Who, form?: Record<string, string>) {
  const headers = { Cookie: await cookieOf(board, who), 'Sec-Fetch-Site': 'same-origin' };
  const posted = form && { method: 'POST', body: new URLSearchParams(form) };
  return fetch(board.url + path, { redirect: 'manual', headers, ...posted });
}

describe('the admin pages', () => {
  test('all have an expectation, and none is in public lists', async () => {
    const board = await server();
    const paths = ROUTE_TABLE.routes.filter(({ caller }) => caller === 'admin');
    expect(paths.map(({ path }) => path).sort()).toEqual(Object.keys(PAGES).sort());
    expect(paths.filter(({ markdown, sitemap, llms }) => markdown ?? sitemap ?? llms)).toEqual([]);
    for (const list of ['/robots.txt', '/sitemap-reference.xml', '/llms.txt']) {
      expect(await (await fetch(board.url + list)).text()).not.toMatch(/\/admin\b/);
    }
  });

  test.each(
    Object.entries(PAGES).flatMap(([path, expected]) => {
      return CALLERS.map((who) => [path, who, expected[who]] as const);
    }),
  )('%s for %s: %s', async (path, who, expected) => {
    const board = await server();
    const name = await anAccount(board, 'operator');
    const response = await ask(
      board,
      path.replace('{codename}', name).replace('{id}', 'nothing'),
      who,
    );
    expect(await outcomeOf(response)).toBe(expected);
  });

  test.each(
    ACTIONS.flatMap(([action, form, expected, role = 'operator' as const]) => {
      return CALLERS.map((who) => ({ action, form, role, who, expected: expected[who] }));
    }),
  )('$action on the account of one $role by $who: $expected', async (row) => {
    const { action, form, role, who, expected } = row;
    const board = await server();
    const name = await anAccount(board, role);
    const before = await inStore(board, (store) => store.auditLog.last());
    const response = await ask(board, `/admin/operators/${name}`, who, { action, ...form });
    expect(await outcomeOf(response)).toBe(expected);
    const entries = await inStore(board, (store) => {
      return store.auditLog.newest(10).filter(({ id, via }) => id > before && via === 'page');
    });
    const isDone = expected === 'done' || expected === 'shown';
    expect(entries.map(({ subject }) => subject)).toEqual(isDone ? [name] : []);
    expect(entries.every(({ actor }) => actor?.startsWith('somebody-'))).toBe(true);
  });

  test.each(
    MESSAGE_ACTIONS.flatMap(([action, form, expected, role = 'operator' as const]) => {
      return CALLERS.map((who) => ({ action, form, role, who, expected: expected[who] }));
    }),
  )('$action on the message of one $role by $who: $expected', async (row) => {
    const { action, form, role, who, expected } = row;
    const board = await server();
    const name = await anAccount(board, role);
    const id = await inStore(board, (store) => {
      const operator_id = store.operators.byCodename(name)?.id ?? 0;
      const message = { id: randomUUID(), operator_id, subject: 'Hello', message: 'Is it so?' };
      store.contactMessages.add({ ...message, created_at: new Date().toISOString() }, 9);
      if (action === 'reopen') closeMessage({ store, now: () => new Date() }, message.id);
      return message.id;
    });
    const response = await ask(board, `/admin/messages/${id}`, who, { action, ...form });
    expect(await outcomeOf(response)).toBe(expected);
    const entries = await inStore(board, (store) => {
      return store.auditLog
        .newest(20)
        .filter(({ subject, via }) => subject === id && via === 'page');
    });
    const named = expect.stringMatching(/^somebody-/);
    expect(entries.map(({ action: name, actor }) => [name, actor])).toEqual(
      expected === 'done' ? [[`message_${action}`, named]] : [],
    );
  });

  test.each([
    ['old admin', AGAIN],
    ['admin', /^\/login\/mail$/],
    ['operator', /^\/login\/mail$/],
  ] as const)('linking a sign-in method as %s leads to %s', async (who, expected) => {
    const board = await server();
    const form = { action: 'link-mail', address: `${who.replace(' ', '-')}@example.org` };
    const response = await ask(board, '/settings/sign-in', who, form);
    expect(response.headers.get('location')).toMatch(expected);
  });

  test('reject forms of other sites', async () => {
    const board = await server();
    const name = await anAccount(board, 'operator');
    const response = await fetch(`${board.url}/admin/operators/${name}`, {
      method: 'POST',
      headers: { Cookie: await cookieOf(board, 'admin'), 'Sec-Fetch-Site': 'cross-site' },
      body: new URLSearchParams({ action: 'hide', reason: 'x' }),
    });
    expect(response.status).toBe(403);
    const operator = await inStore(board, (store) => store.operators.byCodename(name));
    expect(operator?.hidden_at).toBe(null);
  });
});
