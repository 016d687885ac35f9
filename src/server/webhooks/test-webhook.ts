import { type Actor, audit } from '#server/process/admin-actions.ts';
import { addEvent } from './announce.ts';
import { type Attempt, type Sender, attemptOf, claim, postTo } from './deliver.ts';
import { unknown } from './manage-webhooks.ts';

/**
 * Sends a test event at once, without retries. A disabled webhook whose receiver accepts it is enabled again.
 *
 * @throws {DomainError} `not_found`
 */
export async function testWebhook(sender: Sender, id: string, by?: Actor): Promise<Attempt> {
  const { store, now } = sender;
  const webhook = store.webhooks.byId(id);
  if (!webhook) throw unknown(id);
  // Claimed in the same transaction, so that the server does not send it, too.
  const delivery = store.transaction(() => {
    const event = { type: 'webhook.test', data: { webhook: id }, now: now() } as const;
    const added = store.webhookOutbox.deliveryOf(addEvent(store, event, [id]));
    claim(sender, added);
    return added;
  });
  const attempt = attemptOf(await postTo(sender, webhook, delivery));
  const done = { id: delivery.id, outcome: attempt.outcome, now: now().toISOString() };
  store.transaction(() => {
    if (!attempt.isAccepted) return store.webhookOutbox.setFailed(done);
    store.webhookOutbox.setDelivered(done);
    store.webhooks.noteSuccess(id);
    if (webhook.disabled_at === null) return;
    const about = { subject: id, operator_id: null, reason: null };
    audit(store, { action: 'webhook_enable', ...about, now: now(), ...(by && { by }) });
  });
  return attempt;
}
