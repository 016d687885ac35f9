import { randomUUID } from 'node:crypto';
import type { Store } from '#db/store.ts';
import type { WebhookData, WebhookType } from '#core/contract/webhooks.ts';
import { DAY_MS } from '#core/domain/counting/day.ts';

/** How long events and their deliveries are kept. */
export const KEPT_DAYS = 30;

/** Data in which the position of an operator in a list takes the place of a codename. */
type WithPositions<Value> = Value extends readonly (infer Item)[]
  ? WithPositions<Item>[]
  : Value extends object
    ? {
        [Name in keyof Value]: Name extends `${string}codename`
          ? number | null
          : WithPositions<Value[Name]>;
      }
    : Value;

interface Announcement<Type extends WebhookType> {
  type: Type;
  data: WithPositions<WebhookData<Type>>;
  /** The IDs of the operators in the data, by position. */
  operators?: readonly number[];
  now: Date;
}

/**
 * Adds an event to the outbox, for every webhook that receives its type. Call it inside the transaction of what
 * happened, so that a crash can neither lose the event nor leave one of something that did not happen.
 */
export function announce<Type extends WebhookType>(
  store: Pick<Store, 'webhookOutbox' | 'webhooks'>,
  announcement: Announcement<Type>,
): void {
  const webhooks = store.webhooks.subscribed(announcement.type);
  if (webhooks.length > 0) addEvent(store, announcement, webhooks);
}

/** The same in a transaction of its own. */
export function announceAlone<Type extends WebhookType>(
  store: Pick<Store, 'transaction' | 'webhookOutbox' | 'webhooks'>,
  announcement: Announcement<Type>,
): void {
  store.transaction(() => announce(store, announcement));
}

/** Adds an event for these webhooks only, and returns its ID. Call it inside a transaction. */
export function addEvent<Type extends WebhookType>(
  store: Pick<Store, 'webhookOutbox'>,
  { type, data, operators = [], now }: Announcement<Type>,
  webhooks: readonly string[],
): string {
  const id = `msg_${randomUUID().replaceAll('-', '')}`;
  const created_at = now.toISOString();
  const expires_at = new Date(now.getTime() + KEPT_DAYS * DAY_MS).toISOString();
  const event = { id, type, data: JSON.stringify(data), created_at, expires_at };
  store.webhookOutbox.add(event, operators, webhooks);
  return id;
}

/** Adds the event of a backup that failed. */
export function announceFailedBackup(store: Store, error: unknown, now: Date): void {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code } = cause as NodeJS.ErrnoException;
  const data = { code: typeof code === 'string' ? code.slice(0, 60) : null };
  announceAlone(store, { type: 'backup.failed', data, now });
}
