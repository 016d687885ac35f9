/** What admins see of webhooks and their deliveries. */
import type { Store } from '#db/store.ts';
import type { ListedDelivery } from '#db/webhook-outbox.ts';
import type { WebhookForm } from '#core/contract/webhooks.ts';
import { unknown } from './manage-webhooks.ts';

export type WebhookStatus = 'disabled' | 'failing' | 'ok';

export interface ShownWebhook {
  id: string;
  form: WebhookForm;
  /** The host of the URL. The rest may be a secret of the receiver. */
  host: string;
  events: string[];
  status: WebhookStatus;
  created_at: string;
  failing_since: string | null;
  disabled_at: string | null;
  disabled_reason: string | null;
  pending: number;
  delivered: number;
  failed: number;
}

/** All webhooks, oldest first, with the numbers of their deliveries in the last 30 days. */
export function readWebhooks({ webhooks }: Store): ShownWebhook[] {
  return webhooks.all().map((row) => {
    const { id, host, created_at, failing_since, disabled_at, disabled_reason } = row;
    const { pending, delivered, failed } = row;
    const form = row.form as WebhookForm;
    const events = JSON.parse(row.events) as string[];
    const status = disabled_at !== null ? 'disabled' : failing_since !== null ? 'failing' : 'ok';
    const facts = { created_at, failing_since, disabled_at, disabled_reason };
    return { id, form, host, events, status, ...facts, pending, delivered, failed };
  });
}

/** The newest deliveries, of all webhooks or one. */
export function readDeliveries(store: Store, id: string | null, limit: number): ListedDelivery[] {
  if (id !== null && !store.webhooks.byId(id)) throw unknown(id);
  return store.webhookOutbox.newest(id, limit);
}
