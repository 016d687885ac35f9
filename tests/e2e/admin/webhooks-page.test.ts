/** The admin page of webhooks, without JavaScript. */
import { describe, expect, test } from 'vitest';
import { runAdmin } from '#tests/support/board/admin.ts';
import { sharedServer } from '#tests/support/http/server.ts';
import { aReceiver } from '#tests/support/webhooks/receiver.ts';
import { isGenuine } from '#tests/support/webhooks/verify.ts';

const HERE = '/admin/webhooks';
const board = sharedServer(() => ({ env: { WEBHOOK_NETWORKS: 'loopback' } }));

async function aVisitor(codename: string, role: 'admin' | 'moderator' | null) {
  const server = await board();
  const cookie = await server.signIn(codename);
  const env = { DATA_DIR: server.dataDir };
  if (role !== null) await runAdmin(['admin', 'add', codename, '--role', role], env);
  return async (fields?: [string, string][]) => {
    const response = await fetch(server.url + HERE, {
      redirect: 'manual',
      headers: { Cookie: cookie, Origin: server.url },
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    });
    return { status: response.status, headers: response.headers, html: await response.text() };
  };
}

function addTo(url: string, ...events: string[]): [string, string][] {
  const chosen = events.map((name): [string, string] => ['events', name]);
  return [['action', 'add'], ['url', url], ['form', 'standard'], ...chosen];
}

describe(HERE, () => {
  test('is unknown to operators and moderators', async () => {
    const operator = await aVisitor('olga', null);
    const moderator = await aVisitor('mia', 'moderator');

    expect([(await operator()).status, (await moderator()).status]).toEqual([404, 404]);
    const refused = await moderator(addTo('https://example.org/', 'record.set'));
    expect(refused.status).toBe(404);
  });

  test('adds, tests and removes a webhook, and shows the secret once', async () => {
    const visit = await aVisitor('ada', 'admin');
    const receiver = await aReceiver();
    const added = await visit(addTo(receiver.url, 'record.set', 'message.received'));
    const [secret = ''] = /whsec_[A-Za-z0-9+/]{43}=/.exec(added.html) ?? [];
    const [, id = ''] = /name="id" value="(\w+)"/.exec(added.html) ?? [];

    expect([added.status, added.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    const tested = await visit([
      ['action', 'test'],
      ['id', id],
    ]);
    expect(tested.html).toContain('The receiver accepted the test event: HTTP 204.');
    const [request] = receiver.requests;
    expect(request && (await isGenuine(request, secret, Date.now()))).toBe(true);
    const shown = await visit();
    expect(shown.html).toContain('New record, Message received');
    expect(shown.html).toMatch(/1 delivered, 0 pending, 0 failed/);
    expect(shown.html).not.toContain('whsec_');
    expect(shown.html).not.toContain('/hook');
    const removed = await visit([
      ['action', 'remove'],
      ['id', id],
    ]);
    expect([removed.status, removed.headers.get('Location')]).toEqual([
      303,
      `${HERE}?done=removed`,
    ]);
    expect((await visit()).html).toContain('There are no webhooks.');
  });

  test('explains what is wrong with a URL, and keeps what was entered', async () => {
    const visit = await aVisitor('ada', 'admin');
    const refused = await visit(addTo('https://169.254.169.254/', 'backup.failed'));
    const empty = await visit(addTo('https://example.org/'));

    expect(refused.status).toBe(422);
    expect(refused.html).toMatch(/id="url-fault"[^>]*>\s*Must begin with https:\/\/ and lead to/);
    expect(refused.html).toContain('value="https://169.254.169.254/"');
    expect(refused.html.match(/ checked/g)).toHaveLength(1);
    expect(empty.html).toContain('Choose at least one event');
  });
});
