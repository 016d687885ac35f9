/** `/admin/challenges` as admins use it, without JavaScript. */
import { describe, expect, test } from 'vitest';
import { announceOn } from '#tests/support/board/contests.ts';
import { textOf } from '#tests/support/board/people.ts';
import { daysAgo } from '#tests/support/agent/installation.ts';
import { aVisitingAdmin, inStore } from '#tests/support/http/admin-callers.ts';
import { type RunningServer, eventually, sharedServer } from '#tests/support/http/server.ts';

const LIST = '/admin/challenges';
const FORM = {
  action: 'create',
  title: 'Spring sprint',
  description: 'Who gets the most\r\nout of the cache?',
  metric: 'leverage',
  first_day: daysAgo(-3),
  last_day: daysAgo(-9),
};

const board = sharedServer();

const rowOf = (server: RunningServer, id: string) =>
  inStore(server, ({ challenges }) => challenges.byId(id));
const actionsOn = (server: RunningServer, id: string) =>
  inStore(server, ({ auditLog }) => {
    const entries = auditLog.newest(100).filter(({ subject }) => subject === id);
    return entries.map(({ action, actor, via }) => [action, actor, via]);
  });
/** The value of a field of the form. */
const valueOf = (html: string, name: string) =>
  new RegExp(`<input[^>]*\\sid="${name}"[^>]*>`).exec(html)?.[0].match(/\svalue="([^"]*)"/)?.[1] ??
  '';
/** The faults next to the fields, by name. */
const faultsIn = (html: string) =>
  Object.fromEntries(
    [...html.matchAll(/id="([\w]+)-fault"[^>]*>\s*([^<]*?)\s*</g)].map(([, name, text]) => [
      name,
      text,
    ]),
  ) as Record<string, string>;

describe(LIST, () => {
  test('creates a challenge, which everyone sees at once', async () => {
    const server = await board();
    const { codename, visitor } = await aVisitingAdmin(server);

    const made = await visitor.post(LIST, { ...FORM, output_tokens: '77', stated_days: '0.85' });

    expect([made.status, made.url]).toEqual([
      200,
      `${server.url}${LIST}/spring-sprint?done=create`,
    ]);
    expect(made.text).toContain('The challenge is announced.');
    expect(await rowOf(server, 'spring-sprint')).toMatchObject({
      metric: 'leverage',
      tool: null,
      description: 'Who gets the most\nout of the cache?',
      eligibility: { output_tokens: 77, stated_days: 0.85 },
      series: null,
    });
    expect(await actionsOn(server, 'spring-sprint')).toEqual([
      ['challenge_create', codename, 'page'],
    ]);
    const page = await (await fetch(`${server.url}/challenges/spring-sprint`)).text();
    expect(textOf(page)).toContain('Spring sprint');
    expect(textOf(page)).toContain('85% or more of the days stated, over all tools');
  });

  test('names every wrong field, keeps what was entered, and stores nothing', async () => {
    const server = await board();
    const { visitor } = await aVisitingAdmin(server);
    const wrong = {
      ...FORM,
      title: '日本語',
      tool: 'a tool with a name',
      first_day: daysAgo(2),
      last_day: daysAgo(3),
    };

    const days = await visitor.post(LIST, wrong);
    const numbers = await visitor.post(LIST, { ...FORM, active_days: 'many', coverage: '-1' });
    const short = await visitor.post(LIST, { ...FORM, id: 'short', last_day: FORM.first_day });
    const none = await visitor.post(LIST, { ...FORM, id: 'none', first_day: '', last_day: '' });

    expect([days, numbers, short, none].map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect(faultsIn(days.text)).toMatchObject({
      first_day: expect.stringContaining('Must not be before today'),
      last_day: 'Must not be before the first day.',
      id: expect.any(String),
    });
    expect(valueOf(days.text, 'title')).toBe('日本語');
    expect(valueOf(days.text, 'last_day')).toBe(wrong.last_day);
    expect(days.text).toContain('<title>Not saved: Challenges');
    expect(Object.keys(faultsIn(numbers.text))).toEqual(['active_days', 'coverage']);
    expect(numbers.text).toMatch(/<details[^>]* open/);
    expect(Object.keys(faultsIn(short.text))).toEqual(['last_day']);
    expect(Object.keys(faultsIn(none.text))).toEqual(['first_day', 'last_day']);
    for (const id of ['short', 'none']) expect(await rowOf(server, id)).toBeUndefined();
  });

  test('says that an ID is taken', async () => {
    const server = await board();
    const { visitor } = await aVisitingAdmin(server);
    await visitor.post(LIST, { ...FORM, id: 'taken' });

    const twice = await visitor.post(LIST, { ...FORM, id: 'taken', title: 'Another' });

    expect(twice.status).toBe(409);
    expect(textOf(twice.text)).toContain('already exists. Choose another ID');
    expect(valueOf(twice.text, 'title')).toBe('Another');
  });

  test('changes a challenge before its start, and not after it', async () => {
    const server = await board();
    const { codename, visitor } = await aVisitingAdmin(server);
    await visitor.post(LIST, { ...FORM, id: 'changing' });
    announceOn(server, 'begun', { first_day: daysAgo(1), last_day: daysAgo(-9) });
    const change = { ...FORM, action: 'edit', title: 'Summer sprint', tool: 'codex' };

    const done = await visitor.post(`${LIST}/changing`, change);
    const wrong = await visitor.post(`${LIST}/changing`, { ...change, last_day: daysAgo(4) });
    const begun = await visitor.open(`${LIST}/begun`);
    const late = await visitor.post(`${LIST}/begun`, change);

    expect(done.text).toContain('The challenge is changed.');
    expect(await rowOf(server, 'changing')).toMatchObject({
      title: 'Summer sprint',
      tool: 'codex',
      first_day: FORM.first_day,
      last_day: FORM.last_day,
    });
    expect((await actionsOn(server, 'changing'))[0]).toEqual(['challenge_edit', codename, 'page']);
    expect([wrong.status, Object.keys(faultsIn(wrong.text))]).toEqual([422, ['last_day']]);
    expect(begun.text).not.toContain('value="edit"');
    expect(late.status).toBe(409);
    expect(textOf(late.text)).toContain('begun has started and cannot be changed');
    expect(await rowOf(server, 'begun')).toMatchObject({ title: 'Title begun', tool: null });
  });

  test('cancels with a reason, once', async () => {
    const server = await board();
    const [grace, alan] = [await aVisitingAdmin(server), await aVisitingAdmin(server)];
    announceOn(server, 'stormy', { first_day: daysAgo(1), last_day: daysAgo(-9) });
    const here = `${LIST}/stormy`;

    const empty = await grace.visitor.post(here, { action: 'cancel', reason: ' ' });
    const done = await grace.visitor.post(here, { action: 'cancel', reason: 'The board was down' });
    const twice = await alan.visitor.post(here, { action: 'cancel', reason: 'A storm' });

    expect([empty.status, done.status, twice.status]).toEqual([422, 200, 409]);
    expect(Object.keys(faultsIn(empty.text))).toEqual(['reason']);
    expect(done.text).toContain('The challenge is canceled.');
    expect(done.text).not.toContain('value="cancel"');
    expect(textOf(twice.text)).toContain('stormy is already canceled');
    const shown = await eventually(
      async () => (await fetch(`${server.url}/challenges/stormy`)).text(),
      (text) => text.includes('The board was down'),
    );
    expect(shown).not.toContain('A storm');
  });

  test('copies the terms of a challenge, without its ID and days', async () => {
    const server = await board();
    const { visitor } = await aVisitingAdmin(server);
    await visitor.post(LIST, { ...FORM, id: 'model', tool: 'codex', total_tokens: '5000' });

    const copy = await visitor.open(`${LIST}?copy=model`);
    const none = await visitor.open(`${LIST}?copy=nothing`);

    const read = (html: string) =>
      ['title', 'tool', 'total_tokens', 'id', 'first_day', 'last_day'].map((name) =>
        valueOf(html, name),
      );
    expect(read(copy.text)).toEqual(['Spring sprint', 'codex', '5000', '', '', '']);
    expect(copy.text).toMatch(/<option[^>]*value="leverage"[^>]* selected/);
    expect([none.status, read(none.text).join('')]).toEqual([200, '']);
  });

  test('repeats a challenge until an admin stops it', async () => {
    const server = await board();
    const { codename, visitor } = await aVisitingAdmin(server);
    const weekly = { ...FORM, repeat: 'weekly' };

    const overlapping = await visitor.post(LIST, {
      ...weekly,
      id: 'overlap',
      last_day: daysAgo(-10),
    });
    const made = await visitor.post(LIST, { ...weekly, id: 'each-week' });
    const stopped = await visitor.post(`${LIST}/each-week`, { action: 'stop' });
    const twice = await visitor.post(`${LIST}/each-week`, { action: 'stop' });

    expect([overlapping.status, faultsIn(overlapping.text)]).toEqual([
      422,
      { last_day: expect.stringMatching(/less than a week after the first day/) as string },
    ]);
    expect(textOf(made.text)).toContain('This challenge repeats every week');
    expect(stopped.text).not.toContain('value="stop"');
    expect([twice.status, textOf(twice.text)]).toEqual([
      409,
      expect.stringContaining('each-week does not repeat'),
    ]);
    expect((await actionsOn(server, 'each-week'))[0]).toEqual(['challenge_stop', codename, 'page']);
    expect(await rowOf(server, 'each-week')).toMatchObject({ cancelled_at: null });
  });

  test('does not know other challenges', async () => {
    const server = await board();
    const { visitor } = await aVisitingAdmin(server);

    expect((await visitor.open(`${LIST}/nothing`)).status).toBe(404);
  });
});
