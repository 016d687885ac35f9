import type { BlockList } from 'node:net';
import type { Store } from '#db/store.ts';
import type { DueDelivery } from '#db/webhook-outbox.ts';
import type { WebhookRow } from '#db/webhooks.ts';
import type { WebhookForm } from '#core/contract/webhooks.ts';
import { BOARD, audit } from '#server/process/admin-actions.ts';
import { bodyIn, isSigned } from './forms.ts';
import { payloadOf } from './payload.ts';
import { type PostRequest, type PostResult, post } from './post.ts';
import { DISABLE_AFTER_MS, MAX_ATTEMPTS, pauseMs } from './retry.ts';
import { secretsOf, urlOf } from './sealed.ts';
import { signedHeaders } from './sign.ts';

/** What sending needs to know about the board. */
export interface Sender {
  store: Store;
  baseUrl: string;
  /** The name of the board. */
  name: string;
  /** The private networks that may be contacted; null for none. */
  networks: BlockList | null;
  now: () => Date;
}

/** How long an attempt is left to the process that began it. Longer than it can take. */
const LEASE_MS = 60_000;

/** The status of a receiver that does not want any more events. */
const GONE = 410;

export interface Attempt {
  /** Whether the receiver accepted the event. */
  isAccepted: boolean;
  /** In words, such as `HTTP 500`. */
  outcome: string;
}

/** The result of a delivery, and why its webhook was disabled because of it. */
export interface Delivered extends Attempt {
  disabled: string | null;
}

/** Takes a delivery for one attempt. Returns false if another process has it. */
export function claim({ store, now }: Sender, { id }: Pick<DueDelivery, 'id'>): boolean {
  const until = new Date(now().getTime() + LEASE_MS);
  return store.webhookOutbox.claim(id, now().toISOString(), until.toISOString());
}

/**
 * Makes one attempt at a delivery that this process has claimed, and stores the result. If the process dies in between,
 * the next one makes another attempt, with the same ID.
 */
export async function deliver(
  sender: Sender,
  delivery: DueDelivery,
  signal?: AbortSignal,
): Promise<Delivered | null> {
  const webhook = sender.store.webhooks.byId(delivery.webhook_id);
  if (!webhook) return null;
  const result = await postTo(sender, webhook, delivery, signal);
  if (signal?.aborted) return null;
  return sender.store.transaction(() => settle(sender, delivery, result));
}

/** Sends an event to a webhook, once, whatever the result. */
export async function postTo(
  { store, baseUrl, name, networks, now }: Sender,
  webhook: WebhookRow,
  delivery: DueDelivery,
  signal?: AbortSignal,
): Promise<PostResult> {
  const url = urlOf(store, webhook, now());
  const form = webhook.form as WebhookForm;
  const secrets = secretsOf(store, webhook, now());
  if (!url || (isSigned(form) && secrets.length === 0)) return { failure: 'secret unreadable' };
  const { body, headers } = bodyIn(form, payloadOf(store, delivery, baseUrl), name);
  const signed = isSigned(form)
    ? signedHeaders({ id: delivery.event_id, body, now: now(), secrets })
    : {};
  const request: PostRequest = {
    url,
    headers: { 'User-Agent': 'opbench-board', ...headers, ...signed },
    body,
  };
  return post(request, { networks, ...(signal && { signal }) });
}

export function attemptOf(result: PostResult): Attempt {
  if ('failure' in result) return { isAccepted: false, outcome: result.failure };
  const isAccepted = result.status >= 200 && result.status < 300;
  return { isAccepted, outcome: `HTTP ${result.status}` };
}

function settle(sender: Sender, delivery: DueDelivery, result: PostResult): Delivered {
  const { webhooks, webhookOutbox } = sender.store;
  const { isAccepted, outcome } = attemptOf(result);
  const now = sender.now();
  const attempt = { id: delivery.id, outcome, now: now.toISOString() };
  if (isAccepted) {
    webhookOutbox.setDelivered(attempt);
    webhooks.noteSuccess(delivery.webhook_id);
    return { isAccepted, outcome, disabled: null };
  }
  webhooks.noteFailure(delivery.webhook_id, attempt.now);
  const attempts = delivery.attempts + 1;
  const retryAfter = 'status' in result ? result.retryAfter : null;
  const next = now.getTime() + pauseMs(attempts, { retryAfter, now, random: Math.random() });
  if (attempts >= MAX_ATTEMPTS) webhookOutbox.setFailed(attempt);
  else webhookOutbox.setRetry({ ...attempt, next_at: new Date(next).toISOString() });
  return { isAccepted, outcome, disabled: disableIfDue(sender, delivery.webhook_id, result) };
}

/** Disables a webhook whose receiver is gone, or that has failed for days. Returns the reason if it did. */
function disableIfDue({ store, now }: Sender, id: string, result: PostResult): string | null {
  const failingMs = now().getTime() - Date.parse(store.webhooks.byId(id)?.failing_since ?? '');
  const isGone = 'status' in result && result.status === GONE;
  if (!isGone && !(failingMs >= DISABLE_AFTER_MS)) return null;
  const reason = isGone ? 'The receiver answered 410 Gone' : 'Every attempt failed for 3 days';
  const disabled_at = now().toISOString();
  if (!store.webhooks.disable({ id, disabled_at, disabled_reason: reason })) return null;
  store.webhookOutbox.giveUp(id);
  const about = { subject: id, operator_id: null, reason };
  audit(store, { action: 'webhook_disable', ...about, now: now(), by: BOARD });
  return reason;
}
