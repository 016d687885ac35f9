/** A board with webhooks, which a test sends by hand. */
import { type WebhookPayload, WEBHOOK_PAYLOADS } from '#core/contract/webhooks.ts';
import { type Delivered, type Sender, claim, deliver } from '#server/webhooks/deliver.ts';
import { type NewWebhook, addWebhook } from '#server/webhooks/manage-webhooks.ts';
import { senderOf } from '#server/webhooks/watch-webhooks.ts';
import { type TestContext, testContext } from '../board/context.ts';
import { loopback } from './receiver.ts';

export function aBoardWithWebhooks(): TestContext {
  return testContext({ webhookNetworks: loopback() });
}

export function aWebhook(
  { store, config, now }: TestContext,
  url: string,
  over: Partial<{ form: string; events: string[] }> = {},
): NewWebhook {
  const request = { url, form: 'standard', events: null, ...over };
  return addWebhook(store, request, { networks: config.webhookNetworks, now: now() });
}

/** Makes one attempt at every due delivery, as one process. */
export async function sendDue(sender: Sender): Promise<(Delivered | null)[]> {
  const due = sender.store.webhookOutbox.due(sender.now().toISOString());
  const claimed = due.filter((delivery) => claim(sender, delivery));
  return Promise.all(claimed.map((delivery) => deliver(sender, delivery)));
}

/** Sends everything that is due, until nothing is. */
export async function sendAll(ctx: TestContext): Promise<void> {
  while ((await sendDue(senderOf(ctx))).length > 0);
}

/** The payload in a body, if it matches the schema of its type. */
export function payloadIn(body: string): WebhookPayload {
  const payload = JSON.parse(body) as WebhookPayload;
  return WEBHOOK_PAYLOADS[payload.type].parse(payload) as unknown as WebhookPayload;
}
