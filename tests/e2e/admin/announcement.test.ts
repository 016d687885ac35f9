/** The announcement of a board, from its admin page and its command to the pages that show it. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DAY_MS, utcDay } from '#core/domain/counting/day.ts';
import { RECENT_MS } from '#core/domain/account/admin-right.ts';
import { openStore } from '#db/store.ts';
import { createSessions } from '#server/identity/sessions.ts';
import { audit } from '#server/process/admin-actions.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { MIGRATIONS } from '#tests/support/board/context.ts';
import {
  type RunningServer,
  eventually,
  sharedServer,
  startServer,
} from '#tests/support/http/server.ts';

const HERE = '/admin/announcement';
/** Prepared with each update, on the first request and once, and not prepared. */
const PUBLIC = ['/', '/challenges', '/docs/run/admins', '/submissions', '/operators/nobody'];
const server = sharedServer();
const inDays = (days: number) => utcDay(Date.now() + days * DAY_MS);

async function inStore<Result>(
  { dataDir }: RunningServer,
  work: (store: ReturnType<typeof openStore>) => Promise<Result> | Result,
): Promise<Result> {
  const path = join(dataDir, 'opbench.sqlite');
  const store = openStore({ path, migrations: MIGRATIONS, now: () => new Date() });
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

/** An admin who opens the page and sends its forms. */
async function anAdmin(board: RunningServer, codename: string, signedInMsAgo = 0) {
  await board.signIn(codename);
  await runAdmin(['admin', 'add', codename], { DATA_DIR: board.dataDir });
  const now = () => new Date();
  const cookie = await inStore(board, (store) => {
    const { id = 0 } = store.operators.byCodename(codename) ?? {};
    const signedInAt = new Date(Date.now() - signedInMsAgo);
    return createSessions(store, false, now, () => false).start(id, { signedInAt });
  });
  return async (form?: Record<string, string>) => {
    const response = await fetch(board.url + HERE, {
      redirect: 'manual',
      headers: { Cookie: cookie.split(';')[0] ?? '', Origin: board.url },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    const html = await response.text();
    const seen = /name="seen" value="([^"]*)"/.exec(html)?.[1] ?? '';
    return { status: response.status, to: response.headers.get('Location') ?? '', html, seen };
  };
}

const announce = ({ dataDir }: RunningServer, ...args: string[]) =>
  runAdmin(['announce', ...args], { DATA_DIR: dataDir });

async function read({ url }: RunningServer, path: string, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, { headers });
  const etag = response.headers.get('ETag') ?? '';
  return { status: response.status, etag, html: await response.text() };
}

describe(HERE, () => {
  test('puts one line on all public pages at once, as plain text, until an admin ends it', async () => {
    const board = await server();
    const visit = await anAdmin(board, 'ada');
    const before = await Promise.all(PUBLIC.map((path) => read(board, path)));
    const form = { text: 'Back at <b>5</b> & later', link: '/challenges', last_day: inDays(1) };

    const { seen } = await visit();
    const set = await visit({ action: 'set', seen, ...form });

    expect([set.status, set.to]).toEqual([303, `${HERE}?done=set`]);
    for (const [at, path] of PUBLIC.entries()) {
      const { etag = '', html } = before[at] ?? {};
      const after = await read(board, path, { 'If-None-Match': etag });
      expect([path, after.html.match(/<aside aria-label="Announcement"/g)?.length]).toEqual([
        path,
        1,
      ]);
      expect(after.html).toContain('<a href="/challenges"');
      expect(after.html).toContain('Back at &lt;b&gt;5&lt;/b&gt; &amp; later');
      expect(html).not.toContain('aria-label="Announcement"');
    }
    for (const path of ['/login', '/nowhere', '/index.md']) {
      expect((await read(board, path)).html).not.toContain('Back at');
    }
    const page = await visit();
    expect(page.html).toContain('End now');

    const ended = await visit({ action: 'end', seen: page.seen });
    expect([ended.status, ended.to]).toEqual([303, `${HERE}?done=ended`]);
    const after = await Promise.all(PUBLIC.map((path) => read(board, path)));
    expect(after.filter(({ html }) => html.includes('aria-label="Announcement"'))).toEqual([]);
    expect(after[0]?.etag).toBe(before[0]?.etag);
    const log = await runAdmin(['audit', '--who', 'ada', '--json'], { DATA_DIR: board.dataDir });
    const { entries } = JSON.parse(log.stdout) as { entries: object[] };
    expect(entries.slice(0, 2)).toMatchObject([
      { action: 'announcement_end', via: 'page' },
      { action: 'announcement_set', via: 'page', reason: 'Back at <b>5</b> & later' },
    ]);
  });

  test.each([
    ['link', { link: 'javascript:alert(1)' }, 'Must begin with https:// or http://'],
    ['link', { link: '//example.org' }, 'Must begin with https:// or http://'],
    ['last_day', { last_day: inDays(-1) }, 'Must not be in the past'],
    ['last_day', { last_day: inDays(92) }, 'Must be at most 90 days from today'],
    ['text', { text: 'x'.repeat(201) }, 'Must have at most 200 characters'],
  ])('explains a wrong %s, and keeps what was entered: %j', async (name, over, text) => {
    const board = await server();
    const visit = await anAdmin(board, 'ada');
    const { seen } = await visit();
    const form = { text: 'Not shown', link: '', last_day: inDays(1), ...over };

    const refused = await visit({ action: 'set', seen, ...form });

    expect(refused.status).toBe(422);
    expect(refused.html).toMatch(new RegExp(`id="${name}-fault"[^>]*>\\s*${text}`));
    expect(refused.html).toContain(`value="${form.last_day}"`);
    expect((await read(board, '/')).html).not.toContain('Not shown');
  });

  test('lets the second of two admins look at what the first one changed', async () => {
    const board = await server();
    const [ada, bea] = [await anAdmin(board, 'ada'), await anAdmin(board, 'bea')];
    const [first, second] = [await ada(), await bea()];
    const form = { action: 'set', link: '', last_day: inDays(1) };
    await ada({ ...form, seen: first.seen, text: 'From ada' });

    const late = await bea({ ...form, seen: second.seen, text: 'From bea' });

    expect(late.status).toBe(409);
    expect(late.html).toContain('has changed or ended since you opened this page');
    expect(late.html).toContain('<strong>From ada</strong>');
    expect(late.html).toContain('value="From bea"');
    expect((await read(board, '/')).html).toContain('From ada');
    const again = await bea({ ...form, seen: late.seen, text: 'From bea' });
    expect(again.status).toBe(303);
    expect((await read(board, '/')).html).toContain('From bea');
  });

  test('needs a recent sign-in to change it, but not to end it', async () => {
    const board = await server();
    await announce(board, 'set', 'From a command', '--until', inDays(1));
    const visit = await anAdmin(board, 'ada', RECENT_MS);
    const { seen, html } = await visit();
    const form = { text: 'From an old session', link: '', last_day: inDays(1) };

    expect(html).toContain('Sign in again');
    expect((await visit({ action: 'set', seen, ...form })).to).toMatch(/^\/login\?.*again=1/);
    expect((await visit({ action: 'end', seen })).to).toBe(`${HERE}?done=ended`);
    expect((await read(board, '/')).html).not.toContain('aria-label="Announcement"');
  });
});

describe('a running board', () => {
  test('follows the command, and an end that nobody announces', async () => {
    const board = await server();
    const frontHas = (text: string, expected: boolean) => {
      const ask = async () => (await read(board, '/')).html.includes(text);
      return eventually(ask, (has) => has === expected);
    };
    const set = await announce(board, 'set', 'From the shell', '--until', inDays(1));
    expect([set.status, await frontHas('From the shell', true)]).toEqual([0, true]);
    expect((await announce(board, 'clear')).status).toBe(0);
    expect(await frontHas('From the shell', false)).toBe(false);

    await inStore(board, (store) => {
      const now = new Date();
      const ends_at = new Date(now.getTime() + 1_500).toISOString();
      const row = { id: 'short', text: 'For a moment', link: null, set_at: now.toISOString() };
      store.transaction(() => {
        store.announcements.replace({ ...row, ends_at });
        const about = { subject: row.id, operator_id: null, reason: row.text };
        audit(store, { action: 'announcement_set', ...about, now });
      });
    });
    await frontHas('For a moment', true);
    expect(await frontHas('For a moment', false)).toBe(false);
  });

  test('for members shows it to members only', async () => {
    const board = await startServer({ env: { READ: 'members' } });
    const cookie = await board.signIn('ada');
    await announce(board, 'set', 'For members', '--until', inDays(1));
    const shown = () => read(board, '/', { cookie });

    expect((await eventually(shown, ({ html }) => html.includes('For members'))).html).toContain(
      '<aside aria-label="Announcement"',
    );
    for (const path of ['/', '/login', '/nowhere', '/invite/nothing', '/settings/deleted']) {
      expect((await read(board, path)).html).not.toContain('For members');
    }
  });
});
