import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDeliveries } from '#server/webhooks/webhooks.ts';
import { runAdmin } from '#tests/support/board/admin.ts';
import { aDataDir, execute, query, testContext } from '#tests/support/board/context.ts';
import { aReceiver } from '#tests/support/webhooks/receiver.ts';
import { isGenuine } from '#tests/support/webhooks/verify.ts';

function aScene() {
  const ctx = testContext();
  const env = { DATA_DIR: ctx.config.dataDir, WEBHOOK_NETWORKS: 'loopback' };
  const webhook = (...args: string[]) => runAdmin(['webhook', ...args], env);
  const json = async (...args: string[]) =>
    JSON.parse((await webhook(...args, '--json')).stdout) as Record<string, unknown>;
  return { ctx, webhook, json };
}

describe('opbench-board webhook', () => {
  test('adds a webhook, shows its secret once, tests it and lists the delivery', async () => {
    const { ctx, webhook, json } = aScene();
    const receiver = await aReceiver();
    const added = await webhook('add', receiver.url);
    const secret = added.stdout.trim();
    const [, id = ''] = /webhook test (\w+)/.exec(added.stderr) ?? [];
    const tested = await webhook('test', id);
    const [request] = receiver.requests;

    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect([tested.status, tested.stdout]).toEqual([0, 'HTTP 204\n']);
    expect(request && (await isGenuine(request, secret, Date.now()))).toBe(true);
    const listed = await webhook('list');
    expect(listed.stdout).toMatch(
      new RegExp(`^${id} +standard +127\\.0\\.0\\.1:\\d+ +ok +0 +1 +0 +all$`, 'm'),
    );
    expect(listed.stdout).not.toContain('/hook');
    const { entries } = await json('deliveries', id);
    expect(entries).toMatchObject([{ type: 'webhook.test', state: 'delivered', attempts: 1 }]);
    expect(JSON.stringify(await json('list'))).not.toContain('whsec_');
    expect(ctx.store.auditLog.newest(5).map(({ action }) => action)).toEqual(['webhook_add']);
  });

  test('rotates the secret and removes the webhook with its deliveries', async () => {
    const { ctx, webhook, json } = aScene();
    const receiver = await aReceiver();
    const { id, secret } = (await json('add', receiver.url)) as { id: string; secret: string };
    const rotated = (await webhook('rotate', id)).stdout.trim();
    await webhook('test', id);
    const [request] = receiver.requests;
    const removed = await webhook('remove', id);

    expect(rotated).not.toBe(secret);
    expect(request && (await isGenuine(request, rotated, Date.now()))).toBe(true);
    expect(request && (await isGenuine(request, secret, Date.now()))).toBe(true);
    expect(removed.status).toBe(0);
    expect(readDeliveries(ctx.store, null, 10)).toEqual([]);
    expect((await webhook('list')).stderr).toContain('There are no webhooks');
  });

  test('sends messages in the form of a service, without a secret', async () => {
    const { webhook, json } = aScene();
    const receiver = await aReceiver();
    const added = await json('add', receiver.url, '--as', 'discord', '--events', 'record.set');
    await webhook('test', String(added['id']));
    const [request] = receiver.requests;

    expect(added).toMatchObject({ form: 'discord', events: ['record.set'], secret: null });
    expect(request?.headers).not.toHaveProperty('webhook-signature');
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ allowed_mentions: { parse: [] } });
    expect((await webhook('rotate', String(added['id']))).status).toBe(3);
  });

  test('reports a test that failed, and what to do', async () => {
    const { webhook, json } = aScene();
    const receiver = await aReceiver();
    const { id } = await json('add', receiver.url);
    receiver.replies.push({ status: 404 });
    const refused = await webhook('test', String(id));

    expect([refused.status, refused.stdout]).toEqual([3, 'HTTP 404\n']);
    expect(refused.stderr).toContain('a status from 200 to 299');
    expect((await webhook('list')).stdout).toMatch(/ ok +0 +0 +1 +all$/m);
  });

  test.each([
    ['http://example.org/', 'WEBHOOK_NETWORKS'],
    ['https://10.0.0.1/', 'WEBHOOK_NETWORKS'],
    ['https://[::ffff:169.254.169.254]/', 'WEBHOOK_NETWORKS'],
    ['ftp://example.org/', 'must be a URL'],
    ['example.org', 'must be a URL'],
    ['https://user:pass@example.org/', 'no user name'],
  ])('rejects the URL %s', async (url, hint) => {
    const { dataDir } = testContext().config;
    const { status, stderr } = await runAdmin(['webhook', 'add', url], { DATA_DIR: dataDir });

    expect(status).toBe(1);
    expect(stderr).toContain(hint);
  });

  test.each([
    [['add', 'https://example.org/', '--as', 'teams'], 1, 'takes one of standard, discord'],
    [['add', 'https://example.org/', '--events', 'record.set,x'], 1, 'must be a list of:'],
    [['add', 'https://example.org/', '--events', ','], 1, 'separated by commas'],
    [['test', '000000000000'], 3, 'There is no webhook'],
    [['remove', '000000000000'], 3, 'There is no webhook'],
    [['rotate', '000000000000'], 3, 'There is no webhook'],
    [['deliveries', '000000000000'], 3, 'There is no webhook'],
  ])('explains what is wrong with %j', async (args, exit, hint) => {
    const { webhook } = aScene();
    const { status, stderr } = await webhook(...args);

    expect(status).toBe(exit);
    expect(stderr).toContain(hint);
  });

  test('allows 20 webhooks', async () => {
    const { webhook } = aScene();
    for (let number = 1; number <= 20; number += 1) {
      expect((await webhook('add', `https://example.org/${number}`)).status).toBe(0);
    }
    const { status, stderr } = await webhook('add', 'https://example.org/');

    expect(status).toBe(3);
    expect(stderr).toContain('at most 20 webhooks');
  });
});

test('a backup that fails is an event, unless the file already exists', async () => {
  const { ctx, json } = aScene();
  await json('add', 'https://example.org/', '--events', 'backup.failed');
  const file = join(aDataDir(), 'backup.sqlite');
  const backup = () => runAdmin(['backup', file], { DATA_DIR: ctx.config.dataDir });
  await backup();
  const taken = await backup();
  rmSync(file);
  execute(ctx, 'CREATE VIEW mine AS SELECT 1');
  const failed = await backup();

  expect([taken.status, failed.status]).toEqual([3, 3]);
  expect(query(ctx, 'SELECT type, data FROM webhook_events')).toEqual([
    { type: 'backup.failed', data: '{"code":null}' },
  ]);
});
