/** URLs and signing secrets of webhooks, as they are stored. */
import type { Store } from '#db/store.ts';
import type { WebhookRow } from '#db/webhooks.ts';
import { readSecret, seal, unseal } from '#server/process/secrets.ts';

type Kind = 'secret' | 'url';

/** Encrypts a value so that it can be read only for the same webhook and purpose. */
export function sealFor(store: Store, id: string, kind: Kind, text: string, now: Date) {
  return seal(readSecret(store, 'webhooks', now), text, `${kind} ${id}`);
}

/** Returns the URL of a webhook; null if it cannot be decrypted. */
export function urlOf(store: Store, { id, url }: WebhookRow, now: Date): URL | null {
  const text = unseal(readSecret(store, 'webhooks', now), url, `url ${id}`);
  return text === null ? null : new URL(text);
}

/** Returns the secrets that sign, newest first. After a rotation, the old one also signs for a while. */
export function secretsOf(store: Store, webhook: WebhookRow, now: Date): string[] {
  const { id, secret, old_secret, old_until } = webhook;
  const isOldValid = old_until !== null && old_until > now.toISOString();
  const key = readSecret(store, 'webhooks', now);
  return [secret, isOldValid ? old_secret : null].flatMap((sealed) => {
    return sealed === null ? [] : (unseal(key, sealed, `secret ${id}`) ?? []);
  });
}
