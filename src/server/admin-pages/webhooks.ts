/** What the page of webhooks shows and does. */
import {
  WEBHOOK_FORMS,
  WEBHOOK_TEXTS,
  WEBHOOK_TYPES,
  type WebhookType,
} from '#core/contract/webhooks.ts';
import type { AppContext } from '../context.ts';
import { field, refuseUnless } from '../http/request/forms.ts';
import type { Actor } from '../process/admin-actions.ts';
import { isSigned } from '../webhooks/forms.ts';
import { addWebhook, removeWebhook, rotateWebhook } from '../webhooks/manage-webhooks.ts';
import { testWebhook } from '../webhooks/test-webhook.ts';
import { senderOf } from '../webhooks/watch-webhooks.ts';
import { readDeliveries, readWebhooks } from '../webhooks/webhooks.ts';

const SHOWN_DELIVERIES = 30;

const FORM_NAMES: Readonly<Record<string, string>> = {
  standard: 'Signed JSON (Standard Webhooks)',
  discord: 'Discord message',
  slack: 'Slack message',
  matrix: 'Matrix message (Hookshot)',
  ntfy: 'ntfy notification',
};

/** What an action shows once, in place of a redirect. */
export interface WebhookOutcome {
  /** The webhook that was changed or tested. */
  id: string;
  /** A new signing secret; null if there is none to show. */
  secret: string | null;
  text: string;
}

export function readWebhookPage({ store }: AppContext) {
  const webhooks = readWebhooks(store);
  const hosts = new Map(webhooks.map(({ id, host }) => [id, host]));
  return {
    webhooks: webhooks.map(({ form, events, ...webhook }) => ({
      ...webhook,
      form: FORM_NAMES[form] ?? form,
      isSigned: isSigned(form),
      events:
        events.length === WEBHOOK_TYPES.length ? 'All events' : events.map(titleOf).join(', '),
    })),
    deliveries: readDeliveries(store, null, SHOWN_DELIVERIES).map((delivery) => ({
      ...delivery,
      title: titleOf(delivery.type),
      host: hosts.get(delivery.webhook_id) ?? '',
    })),
    forms: WEBHOOK_FORMS.map((value) => ({ value, label: FORM_NAMES[value] ?? value })),
    events: WEBHOOK_TYPES.map((value) => ({ value, label: titleOf(value) })),
  };
}

function titleOf(type: string): string {
  return WEBHOOK_TEXTS[type as WebhookType].summary;
}

export function addFromForm(
  { store, config, now }: AppContext,
  form: FormData,
  by: Actor,
): WebhookOutcome {
  const events = form.getAll('events').filter((name) => typeof name === 'string');
  refuseUnless(events.length > 0, 'Choose at least one event');
  const request = { url: field(form, 'url').trim(), form: field(form, 'form'), events };
  const acting = { networks: config.webhookNetworks, now: now(), by };
  const { id, secret } = addWebhook(store, request, acting);
  return { id, secret, text: 'The webhook is added. Send a test event to try it.' };
}

export function rotateFromForm({ store, now }: AppContext, id: string, by: Actor): WebhookOutcome {
  const secret = rotateWebhook(store, id, { now: now(), by });
  return { id, secret, text: 'The old secret also signs for 24 hours.' };
}

export function removeFromForm({ store, now }: AppContext, id: string, by: Actor): void {
  removeWebhook(store, id, { now: now(), by });
}

export async function testFromForm(
  ctx: AppContext,
  id: string,
  by: Actor,
): Promise<WebhookOutcome> {
  const { isAccepted, outcome } = await testWebhook(senderOf(ctx), id, by);
  const result = isAccepted ? 'accepted the test event' : 'did not accept the test event';
  return { id, secret: null, text: `The receiver ${result}: ${outcome}.` };
}
