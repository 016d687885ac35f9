/** `/admin/invitations` as admins use it, without JavaScript, and the pages that people see. */
import { describe, expect, test } from 'vitest';
import { textOf } from '#tests/support/board/people.ts';
import { aVisitingAdmin, cookieOf, inStore } from '#tests/support/http/admin-callers.ts';
import { sharedServer } from '#tests/support/http/server.ts';
import { Visitor } from '#tests/support/http/visitor.ts';

const HERE = '/admin/invitations';
const LINK = /\/invite\/[\w-]{43}/;

const board = sharedServer(() => ({
  env: { JOIN: 'invite', READ: 'members', COHORTS: 'lab=The laboratory' },
}));

describe(HERE, () => {
  test('creates a link for several people, which joins them to a cohort until it is revoked', async () => {
    const server = await board();
    const { codename, visitor } = await aVisitingAdmin(server);

    const form = { action: 'create', label: 'the spring challenge', uses: '30', days: '14' };
    const created = await visitor.post(HERE, { ...form, cohort_id: 'lab' });
    const [link = ''] = LINK.exec(created.text) ?? [];
    const ada = new Visitor(server.url);
    const landing = await ada.open(link);
    const joined = await ada.answerByMail(await ada.post(link, {}), 'ada@example.org');
    const listed = await visitor.open(HERE);
    const [, id = ''] = /name="id" value="([\w-]+)"/.exec(listed.text) ?? [];
    const revoked = await visitor.post(HERE, { action: 'revoke', id });
    const late = await new Visitor(server.url).open(link);

    expect([created.status, landing.status, joined.status, late.status]).toEqual([
      200, 200, 200, 422,
    ]);
    expect(textOf(landing.text)).toContain(
      `${codename} invites you to this board as a member of The laboratory: the spring challenge.`,
    );
    expect(textOf(listed.text)).toContain('1 of 30 uses, The laboratory');
    expect(listed.text).not.toMatch(LINK);
    expect(revoked.text).toContain('The invitation is revoked.');
    expect(textOf(late.text)).toContain('It was revoked.');
    expect(await inStore(server, ({ invitations }) => invitations.byId(id)?.uses)).toBe(1);
  });

  test('rejects wrong input, and keeps what was entered', async () => {
    const server = await board();
    const { visitor } = await aVisitingAdmin(server);
    const form = { action: 'create', label: 'the autumn challenge', uses: '30', days: '14' };

    const none = await visitor.post(HERE, { ...form, uses: '0' });
    const long = await visitor.post(HERE, { ...form, days: '1000' });
    const unnamed = await visitor.post(HERE, { ...form, label: ' ' });
    const cohort = await visitor.post(HERE, { ...form, cohort_id: 'nobody' });

    const all = [none, long, unnamed, cohort];
    expect(all.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect(all.filter(({ text }) => LINK.test(text))).toEqual([]);
    expect(none.text).toContain('value="the autumn challenge"');
    expect(long.text).toContain('value="1000"');
  });

  test('asks for a new sign-in before the form is filled in', async () => {
    const server = await board();
    const visitor = new Visitor(server.url);
    visitor.signInBy(await cookieOf(server, 'old admin'));

    const { text } = await visitor.open(HERE);

    expect(text).toContain('return_to=%2Fadmin%2Finvitations&amp;again=1');
    expect(text).not.toContain('value="create"');
  });
});
