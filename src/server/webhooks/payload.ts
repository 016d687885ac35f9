import type { Store } from '#db/store.ts';
import type { DueDelivery } from '#db/webhook-outbox.ts';
import type { WebhookEvent, WebhookPayload, WebhookType } from '#core/contract/webhooks.ts';

/** The payload of a delivery, with the names that operators show at this moment. */
export function payloadOf(
  { webhookOutbox }: Pick<Store, 'webhookOutbox'>,
  { event_id, type, data, created_at }: DueDelivery,
  baseUrl: string,
): WebhookPayload {
  const names = webhookOutbox.names(event_id);
  const named = (name: string, value: unknown) => {
    const isPosition = name.endsWith('codename') && typeof value === 'number';
    return isPosition ? (names.get(value) ?? null) : value;
  };
  const event = { type, data: JSON.parse(data, named) as unknown } as WebhookEvent;
  const about = { timestamp: created_at, url: baseUrl + pathOf(event) };
  return { type: event.type, ...about, data: event.data } as WebhookPayload;
}

/** The page about an event. Events about no page of their own lead to what an admin can do. */
const PAGES: Readonly<Record<WebhookType, string>> = {
  'record.set': '/hall-of-signal',
  'leader.changed': '/leaderboard/30d/',
  'challenge.started': '/challenges/',
  'challenge.finished': '/challenges/',
  'operator.joined': '/operators/',
  'submission.held': '/admin/decisions',
  'publication.stale': '/docs/run/monitoring',
  'backup.failed': '/docs/run/backups',
  'witness.alarm': '/docs/run/witnesses',
  'message.received': '/admin/messages/',
  'webhook.test': '/docs/run/webhooks',
};

function pathOf(event: WebhookEvent): string {
  const page = PAGES[event.type];
  switch (event.type) {
    case 'leader.changed':
      return page + event.data.metric;
    case 'challenge.started':
    case 'challenge.finished':
      return page + event.data.id;
    case 'operator.joined':
      return event.data.codename === null ? '/' : page + event.data.codename;
    case 'message.received':
      return page + event.data.message;
    default:
      return page;
  }
}
