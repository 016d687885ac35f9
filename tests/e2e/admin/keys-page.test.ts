/** `/admin/keys` as admins use it, without JavaScript. */
import { describe, expect, test } from 'vitest';
import { textOf } from '#tests/support/board/people.ts';
import { aVisitingAdmin, inStore } from '#tests/support/http/admin-callers.ts';
import { sharedServer } from '#tests/support/http/server.ts';

const HERE = '/admin/keys';
const KEY = /ob_[0-9a-f]{12}_[\w-]{43}/;

const board = sharedServer();

describe(HERE, () => {
  test('issues a key, shows it once, and revokes it', async () => {
    const server = await board();
    const { codename, visitor } = await aVisitingAdmin(server);

    const issued = await visitor.post(HERE, {
      action: 'issue',
      label: 'Weekly export',
      per_minute: '1200',
    });
    const [key = ''] = KEY.exec(issued.text) ?? [];
    const [, id = ''] = key.split('_');
    const read = () => fetch(`${server.url}/api/v1/corpus`, { headers: { 'x-api-key': key } });
    const before = await read();
    const listed = await visitor.open(HERE);
    const revoked = await visitor.post(HERE, { action: 'revoke', id });
    const after = await read();

    expect([issued.status, issued.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect([before.status, after.status]).toEqual([200, 401]);
    expect(listed.text).not.toMatch(KEY);
    expect(textOf(listed.text)).toMatch(/Weekly export .*1,200 requests per minute/);
    expect(revoked.text).toContain('The key is revoked.');
    const actions = await inStore(server, ({ auditLog }) =>
      auditLog.newest(20).flatMap(({ action, actor, subject }) => {
        return subject === id ? [[action, actor]] : [];
      }),
    );
    expect(actions).toEqual([
      ['key_revoke', codename],
      ['key_issue', codename],
    ]);
    expect(server.log()).not.toContain(key);
  });

  test.each([
    [{ label: 'x', per_minute: '0' }, 'from 1 to 1,000,000'],
    [{ label: 'x', per_minute: 'many' }, 'from 1 to 1,000,000'],
    [{ label: ' ', per_minute: '600' }, 'Must not be empty'],
  ])('rejects %j, and keeps what was entered', async (fields, text) => {
    const server = await board();
    const { visitor } = await aVisitingAdmin(server);

    const refused = await visitor.post(HERE, { action: 'issue', ...fields });

    expect([refused.status, KEY.test(refused.text)]).toEqual([422, false]);
    expect(textOf(refused.text)).toContain(text);
    expect(refused.text).toContain(`value="${fields.per_minute}"`);
  });

  test('says that a key is unknown', async () => {
    const server = await board();
    const { visitor } = await aVisitingAdmin(server);

    const refused = await visitor.post(HERE, { action: 'revoke', id: '000000000000' });

    expect(refused.status).toBe(404);
    expect(textOf(refused.text)).toContain('no longer exists');
  });
});
