import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStore } from '#db/store.ts';
import { databasePath } from '#server/config/config.ts';
import { announce } from '#server/webhooks/announce.ts';
import { claim } from '#server/webhooks/deliver.ts';
import { ROTATION_MS, rotateWebhook } from '#server/webhooks/manage-webhooks.ts';
import { newWebhookSecret } from '#server/webhooks/sign.ts';
import { testWebhook } from '#server/webhooks/test-webhook.ts';
import { senderOf } from '#server/webhooks/watch-webhooks.ts';
import { readDeliveries, readWebhooks } from '#server/webhooks/webhooks.ts';
import { DAY_MS } from '#tests/support/board/builders.ts';
import { MIGRATIONS, ROOT, type TestContext, query } from '#tests/support/board/context.ts';
import { aBoardWithWebhooks, aWebhook, sendAll, sendDue } from '#tests/support/webhooks/board.ts';
import { type ReceivedRequest, aReceiver } from '#tests/support/webhooks/receiver.ts';
import { isGenuine } from '#tests/support/webhooks/verify.ts';

const AGE = { age_seconds: 900 };

function happen({ store, now }: TestContext): void {
  store.transaction(() => announce(store, { type: 'publication.stale', data: AGE, now: now() }));
}

async function aScene() {
  const ctx = aBoardWithWebhooks();
  const receiver = await aReceiver();
  const webhook = aWebhook(ctx, receiver.url);
  const only = () => readDeliveries(ctx.store, null, 10)[0];
  return { ctx, receiver, webhook, secret: webhook.secret ?? '', only };
}

/** Lets the time pass until the next attempt is due. */
function waitForRetry(ctx: TestContext): void {
  const [next] = readDeliveries(ctx.store, null, 1);
  ctx.clock.nowMs = Date.parse(next?.next_at ?? '');
}

describe('a delivery', () => {
  test('is signed with the secret that was shown', async () => {
    const { ctx, receiver, secret, only } = await aScene();
    happen(ctx);
    await sendAll(ctx);

    const [request] = receiver.requests;
    if (!request) throw new Error('Nothing was sent');
    expect(request).toMatchObject({ method: 'POST', path: '/hook' });
    expect(request.headers['content-type']).toBe('application/json');
    expect(JSON.parse(request.body)).toMatchObject({ type: 'publication.stale', data: AGE });
    expect(await isGenuine(request, secret, ctx.clock.nowMs)).toBe(true);
    const changed = { ...request, body: request.body.replace('900', '901') };
    expect(await isGenuine(changed, secret, ctx.clock.nowMs)).toBe(false);
    expect(only()).toMatchObject({ state: 'delivered', attempts: 1, outcome: 'HTTP 204' });
    expect(request.headers['webhook-id']).toBe(only()?.event_id);
  });

  test('is repeated after an error, with the same ID and body and a new timestamp', async () => {
    const { ctx, receiver, secret, only } = await aScene();
    receiver.replies.push({ status: 500 }, { status: 429, headers: { 'Retry-After': '7200' } });
    happen(ctx);
    await sendAll(ctx);
    expect(only()).toMatchObject({ state: 'pending', attempts: 1, outcome: 'HTTP 500' });
    waitForRetry(ctx);
    const secondMs = ctx.clock.nowMs;
    await sendAll(ctx);
    expect(Date.parse(only()?.next_at ?? '') - secondMs).toBeGreaterThanOrEqual(7_200_000);
    waitForRetry(ctx);
    await sendAll(ctx);

    const { requests } = receiver;
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    expect(new Set(requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3);
    const last = requests.at(-1);
    expect(last && (await isGenuine(last, secret, ctx.clock.nowMs))).toBe(true);
    expect(only()).toMatchObject({ state: 'delivered', attempts: 3, next_at: null });
  });

  test('fails if the receiver redirects, and does not follow', async () => {
    const { ctx, receiver, only } = await aScene();
    const other = await aReceiver();
    receiver.replies.push({ status: 307, headers: { Location: other.url } });
    happen(ctx);
    await sendAll(ctx);

    expect(only()).toMatchObject({ state: 'pending', outcome: 'HTTP 307' });
    expect(other.requests).toEqual([]);
  });

  test('is not sent to an address that is no longer allowed', async () => {
    const { ctx, receiver, only } = await aScene();
    happen(ctx);
    ctx.config.webhookNetworks = null;
    await sendAll(ctx);

    expect(receiver.requests).toEqual([]);
    expect(only()).toMatchObject({ state: 'pending', outcome: 'address not allowed' });
  });

  test('is made by one of two processes', async () => {
    const { ctx, receiver } = await aScene();
    const store = openStore({
      path: databasePath(ctx.config),
      migrations: MIGRATIONS,
      now: ctx.now,
    });
    happen(ctx);
    const [one, other] = [senderOf(ctx), { ...senderOf(ctx), store }];
    const due = store.webhookOutbox.due(ctx.now().toISOString());
    const claims = [one, other].map((sender) => due.map((delivery) => claim(sender, delivery)));
    store.close();

    expect(claims).toEqual([[true], [false]]);
    await sendAll(ctx);
    expect(receiver.requests).toEqual([]);
  });

  test('is repeated with the same ID if the process ended before it stored the result', async () => {
    const { ctx, receiver, only } = await aScene();
    happen(ctx);
    const id = only()?.event_id;
    const [delivery] = ctx.store.webhookOutbox.due(ctx.now().toISOString());
    expect(delivery && claim(senderOf(ctx), delivery)).toBe(true);
    await sendAll(ctx);
    expect(receiver.requests).toEqual([]);
    waitForRetry(ctx);
    await sendAll(ctx);

    expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([id]);
    expect(only()).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  test('is not left by a transaction that fails', async () => {
    const { ctx } = await aScene();
    const { store } = ctx;
    const fail = () =>
      store.transaction(() => {
        announce(store, { type: 'publication.stale', data: AGE, now: ctx.now() });
        throw new Error('No');
      });

    expect(fail).toThrow('No');
    expect(readDeliveries(store, null, 10)).toEqual([]);
  });

  test('goes only to webhooks that receive the type of event', async () => {
    const { ctx, receiver, webhook } = await aScene();
    const other = aWebhook(ctx, `${receiver.url}/other`, { events: ['record.set'] });
    happen(ctx);

    expect(readDeliveries(ctx.store, webhook.id, 10)).toHaveLength(1);
    expect(readDeliveries(ctx.store, other.id, 10)).toEqual([]);
  });

  test('is deleted after 30 days', async () => {
    const { ctx } = await aScene();
    happen(ctx);
    await sendAll(ctx);
    const after = (days: number) => {
      ctx.store.expiry.forgetExpired(new Date(ctx.clock.nowMs + days * DAY_MS));
      return readDeliveries(ctx.store, null, 10).length;
    };

    expect([after(29), after(30)]).toEqual([1, 0]);
  });
});

test('the documented check accepts a request, and no other', async () => {
  const page = readFileSync(join(ROOT, 'src/content/docs/run/webhooks.md'), 'utf8');
  const [, code = ''] = /```js\n([^]*?)```/.exec(page) ?? [];
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    isGenuine(headers: ReceivedRequest['headers'], body: string, secret: string): boolean;
  };
  const { ctx, receiver, webhook, secret } = await aScene();
  ctx.clock.nowMs = Date.now();
  const next = rotateWebhook(ctx.store, webhook.id, { now: ctx.now() });
  await testWebhook(senderOf(ctx), webhook.id);
  const [{ headers, body } = { headers: {}, body: '' }] = receiver.requests;
  const old = { ...headers, 'webhook-timestamp': '1000000000' };

  expect(module.isGenuine(headers, body, secret)).toBe(true);
  expect(module.isGenuine(headers, body, next)).toBe(true);
  expect(module.isGenuine(headers, `${body} `, secret)).toBe(false);
  expect(module.isGenuine(headers, body, newWebhookSecret())).toBe(false);
  expect(module.isGenuine(old, body, secret)).toBe(false);
});

describe('a webhook', () => {
  test('is disabled if its receiver is gone', async () => {
    const { ctx, receiver, webhook, only } = await aScene();
    receiver.replies.push({ status: 410 });
    happen(ctx);
    const [result] = await sendDue(senderOf(ctx));
    happen(ctx);

    expect(result?.disabled).toBe('The receiver answered 410 Gone');
    expect(readDeliveries(ctx.store, null, 10)).toHaveLength(1);
    expect(only()).toMatchObject({ state: 'failed', next_at: null });
    expect(readWebhooks(ctx.store)).toMatchObject([{ id: webhook.id, status: 'disabled' }]);
    expect(ctx.store.auditLog.newest(1)).toMatchObject([
      {
        action: 'webhook_disable',
        via: 'board',
        subject: webhook.id,
        reason: 'The receiver answered 410 Gone',
      },
    ]);
  });

  test('is disabled after 3 days of failure, and not before', async () => {
    const { ctx, receiver } = await aScene();
    receiver.replies.push(...Array<{ status: number }>(20).fill({ status: 503 }));
    happen(ctx);
    const startedMs = ctx.clock.nowMs;
    await sendAll(ctx);
    const status = () => readWebhooks(ctx.store)[0]?.status;
    while (status() === 'failing') {
      expect(ctx.clock.nowMs - startedMs).toBeLessThan(3 * DAY_MS);
      waitForRetry(ctx);
      await sendAll(ctx);
    }

    expect(status()).toBe('disabled');
    expect(ctx.clock.nowMs - startedMs).toBeGreaterThanOrEqual(3 * DAY_MS);
    expect(receiver.requests.length).toBeLessThan(15);
  });

  test('is enabled again by a test that its receiver accepts', async () => {
    const { ctx, receiver, webhook, secret } = await aScene();
    receiver.replies.push({ status: 410 }, { status: 500 });
    happen(ctx);
    await sendAll(ctx);
    const refused = await testWebhook(senderOf(ctx), webhook.id);
    const stillDisabled = readWebhooks(ctx.store)[0]?.status;
    const accepted = await testWebhook(senderOf(ctx), webhook.id);

    expect(refused).toEqual({ isAccepted: false, outcome: 'HTTP 500' });
    expect(stillDisabled).toBe('disabled');
    expect(accepted).toEqual({ isAccepted: true, outcome: 'HTTP 204' });
    expect(readWebhooks(ctx.store)).toMatchObject([{ status: 'ok', disabled_reason: null }]);
    const last = receiver.requests.at(-1);
    expect(JSON.parse(last?.body ?? '')).toMatchObject({ data: { webhook: webhook.id } });
    expect(last && (await isGenuine(last, secret, ctx.clock.nowMs))).toBe(true);
    await sendAll(ctx);
    expect(receiver.requests).toHaveLength(3);
  });

  test('signs with both secrets for a day after a rotation', async () => {
    const { ctx, receiver, webhook, secret } = await aScene();
    const next = rotateWebhook(ctx.store, webhook.id, { now: ctx.now() });
    const validSecrets = async () => {
      await testWebhook(senderOf(ctx), webhook.id);
      const last = receiver.requests.at(-1);
      if (!last) throw new Error('Nothing was sent');
      const { nowMs } = ctx.clock;
      return [await isGenuine(last, secret, nowMs), await isGenuine(last, next, nowMs)];
    };

    expect(await validSecrets()).toEqual([true, true]);
    ctx.clock.nowMs += ROTATION_MS;
    expect(await validSecrets()).toEqual([false, true]);
  });

  test('keeps URL and secret encrypted', async () => {
    const { ctx, receiver, secret } = await aScene();
    const [row] = query<{ url: Buffer; secret: Buffer }>(ctx, 'SELECT url, secret FROM webhooks');
    const stored = Buffer.concat([row?.url ?? Buffer.of(), row?.secret ?? Buffer.of()]);

    expect(stored.includes(new URL(receiver.url).pathname)).toBe(false);
    expect(stored.includes(secret.slice('whsec_'.length))).toBe(false);
    expect(stored.includes(Buffer.from(secret.slice('whsec_'.length), 'base64'))).toBe(false);
  });
});
