import { describe, expect, test } from 'vitest';
import { isOpen } from '#core/contract/route-table.ts';
import { ROUTE_TABLE } from '#core/contract/routes.ts';
import { DAY_MS } from '#core/domain/counting/day.ts';
import { endAnnouncement, setAnnouncement } from '#server/announcement/set-announcement.ts';
import { prepareResponse } from '#server/http/response/prepared-response.ts';
import { setRole } from '#server/operator/set-role.ts';
import { createLookup } from '#server/publication/lookup.ts';
import { Pages } from '#server/publication/pages.ts';
import type { Edition } from '#server/publication/publisher.ts';
import { siteVersionOf } from '#server/publication/site-version.ts';
import { anOperator, dumpOf, publish, testContext } from '#tests/support/board/context.ts';
import { refusal } from '#tests/support/http/refusal.ts';

const NOW = '2026-03-10T12:00:00.000Z';
const REQUEST = { text: 'Maintenance on Sunday', link: null, last_day: '2026-03-12' };

function aBoard() {
  const ctx = testContext();
  ctx.clock.nowMs = Date.parse(NOW);
  const { announcements } = ctx;
  const set = (over: object = {}) => {
    const row = setAnnouncement(ctx, { ...REQUEST, ...over });
    announcements.reload();
    return row;
  };
  const end = () => {
    endAnnouncement(ctx);
    announcements.reload();
  };
  return { ctx, set, end, announcements };
}

function anAdmin(ctx: ReturnType<typeof aBoard>['ctx'], codename: string) {
  const { id } = anOperator(ctx, codename);
  setRole(ctx, { name: codename, role: 'admin' });
  return { operator_id: id, via: 'page' as const };
}

describe('setAnnouncement()', () => {
  test('stores one line until the end of its last day, in place of any other', () => {
    const { ctx, set } = aBoard();
    const by = anAdmin(ctx, 'ada');
    set({ text: 'Before' });

    const row = setAnnouncement(ctx, { ...REQUEST, link: '/challenges?x=1' }, { by });

    expect(row).toMatchObject({ link: '/challenges?x=1', set_at: NOW });
    expect(row.ends_at).toBe('2026-03-13T00:00:00.000Z');
    expect(dumpOf(ctx)['announcements']).toEqual([row]);
    expect(ctx.store.auditLog.newest(1)).toMatchObject([
      {
        action: 'announcement_set',
        subject: row.id,
        reason: REQUEST.text,
        actor: 'ada',
        via: 'page',
      },
    ]);
  });

  test.each([
    ['  /docs/run ', '/docs/run'],
    ['/a/../b#c', '/b#c'],
    ['https://example.org', 'https://example.org/'],
    ['HTTP://Example.org/a b', 'http://example.org/a%20b'],
  ])('reads the link %j as %s', (link, expected) => {
    expect(aBoard().set({ link }).link).toBe(expected);
  });

  test.each([
    ['#/text', { text: ' ' }],
    ['#/text', { text: 'x'.repeat(201) }],
    ['#/text', { text: 'one\ntwo' }],
    ['#/text', { text: 'right\u202Eleft' }],
    ['#/link', { link: '' }],
    ['#/link', { link: 'challenges' }],
    ['#/link', { link: 'javascript:alert(1)' }],
    ['#/link', { link: 'data:text/html,x' }],
    ['#/link', { link: 'mailto:ada@example.org' }],
    ['#/link', { link: '//example.org' }],
    ['#/link', { link: '/\\example.org' }],
    ['#/link', { link: '/.//example.org' }],
    ['#/link', { link: 'https://ada:secret@example.org/' }],
    ['#/link', { link: `/${'x'.repeat(300)}` }],
    ['#/last_day', { last_day: '2026-03-09' }],
    ['#/last_day', { last_day: '2026-06-09' }],
    ['#/last_day', { last_day: '2026-02-30' }],
    ['#/last_day', { last_day: '' }],
  ])('rejects %s in %j and changes nothing', (pointer, over) => {
    const { ctx, set } = aBoard();
    set();
    const before = dumpOf(ctx);

    expect(() => set(over)).toThrow(refusal('validation_failed', pointer));
    expect(dumpOf(ctx)).toEqual(before);
  });

  test.each(['2026-03-10', '2026-06-08'])('takes %s, the first and the latest last day', (day) => {
    expect(aBoard().set({ last_day: day }).ends_at > NOW).toBe(true);
  });

  test('refuses to replace or end what another admin changed in the meantime', () => {
    const { ctx, set, end } = aBoard();
    const { id: seen } = set();
    const { id: current } = set({ text: 'Changed' });
    const before = dumpOf(ctx);

    expect(() => setAnnouncement(ctx, REQUEST, { seen })).toThrow(refusal('state_conflict'));
    expect(() => setAnnouncement(ctx, REQUEST, { seen: null })).toThrow(refusal('state_conflict'));
    expect(() => endAnnouncement(ctx, { seen })).toThrow(refusal('state_conflict'));
    expect(dumpOf(ctx)).toEqual(before);

    end();
    expect(() => setAnnouncement(ctx, REQUEST, { seen: current })).toThrow(
      refusal('state_conflict'),
    );
    expect(setAnnouncement(ctx, REQUEST, { seen: null }).text).toBe(REQUEST.text);
  });
});

describe('endAnnouncement()', () => {
  test('deletes it, under the name of the admin', () => {
    const { ctx, set } = aBoard();
    const by = anAdmin(ctx, 'ada');
    const { id } = set();

    endAnnouncement(ctx, { by, seen: id });

    expect(dumpOf(ctx)['announcements']).toEqual([]);
    expect(ctx.store.auditLog.newest(1)).toMatchObject([
      { action: 'announcement_end', subject: id, actor: 'ada', via: 'page' },
    ]);
  });

  test('reports that there is none, also after it ended by itself', () => {
    const { ctx, set } = aBoard();
    expect(() => endAnnouncement(ctx)).toThrow(refusal('state_conflict'));

    set();
    ctx.clock.nowMs += 3 * DAY_MS;
    expect(() => endAnnouncement(ctx)).toThrow(refusal('state_conflict'));
  });
});

describe('Announcements', () => {
  test('has the announcement until its end, to the millisecond, and after a restart', () => {
    const { ctx, set, announcements } = aBoard();
    const { ends_at } = set();
    ctx.clock.nowMs = Date.parse(ends_at) - 1;
    expect(announcements.on('/')).toMatchObject({ text: REQUEST.text });

    ctx.clock.nowMs += 1;
    expect([announcements.current(), announcements.on('/')]).toEqual([null, null]);
    announcements.reload();
    expect(announcements.current()).toBe(null);
  });

  test('has a new version after each change and the end, and keeps it otherwise', () => {
    const { ctx, set, end, announcements } = aBoard();
    const versions = [announcements.version];
    const look = () => void versions.push(announcements.version);
    set();
    look();
    set({ text: 'Changed' });
    look();
    end();
    look();
    set({ last_day: '2026-03-10' });
    look();
    ctx.clock.nowMs += DAY_MS;
    look();
    expect(new Set(versions).size).toBe(versions.length);

    announcements.reload();
    const ended = announcements.version;
    announcements.reload();
    expect(announcements.version).toBe(ended);
  });

  test('is on public pages only, which strangers cannot read on a board for members', () => {
    const { set, announcements } = aBoard();
    set();
    const pages = ROUTE_TABLE.routes.filter(({ kind }) => kind === 'page');
    const showing = pages.filter(({ path }) => {
      return announcements.on(path.replaceAll(/\{\w+\}/g, 'some'));
    });

    expect(showing).toEqual(pages.filter(({ caller }) => caller === 'public'));
    expect(showing.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/', '/operators/{codename}', '/docs/{section}/{page}', '/privacy']),
    );
    expect(showing.filter((route) => isOpen(route, 'GET'))).toEqual([]);
    expect(announcements.on('/nowhere')).toBe(null);
  });
});

test('a prepared page shows it from its first moment to its end, with another entity tag', async () => {
  const { ctx, set, announcements } = aBoard();
  const edition: Edition = { publication: publish(ctx), pages: new Pages() };
  const lookup = createLookup({
    baseUrl: ctx.config.baseUrl,
    edition: () => edition,
    assets: new Map(),
    finish: (path) => prepareResponse(new Response(`<p>${announcements.on(path)?.text ?? 'none'}`)),
    toMarkdown: () => Promise.reject(new Error('Not needed')),
    siteVersion: () => siteVersionOf(ctx),
  });
  const read = async (address: string) => {
    const { bytes, etag } = (await lookup(address))?.encodings.identity ?? {};
    return { text: String(bytes), etag };
  };
  const before = await read('/');
  const { ends_at } = set();

  const shown = await read('/');
  ctx.clock.nowMs = Date.parse(ends_at) - 1;
  expect(await read('/')).toEqual(shown);
  ctx.clock.nowMs += 1;
  const after = await read('/');

  expect([before.text, shown.text]).toEqual(['<p>none', `<p>${REQUEST.text}`]);
  expect(shown.etag).not.toBe(before.etag);
  expect(after).toEqual(before);
});

test('rows that have ended are deleted', () => {
  const { ctx, set } = aBoard();
  set();
  ctx.store.expiry.forgetExpired(new Date('2026-03-12T23:59:59Z'));
  expect(dumpOf(ctx)['announcements']).toHaveLength(1);
  ctx.store.expiry.forgetExpired(new Date('2026-03-13T00:00:00Z'));
  expect(dumpOf(ctx)['announcements']).toEqual([]);
});
