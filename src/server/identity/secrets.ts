import { createHmac, randomBytes } from 'node:crypto';
import type { Store } from '#db/store.ts';

/** What the board keeps secret: one for each purpose, so that none tells of another. */
type SecretName =
  | 'aliases'
  | 'codenames'
  | 'fingerprints'
  | 'mailboxes'
  | 'provider-cookies'
  | 'subjects'
  | 'tokens';

const SECRET_BYTES = 32;

/** A secret of 32 random bytes, made when it is first needed. */
export function readSecret(store: Store, name: SecretName, now: Date): Uint8Array {
  const known = store.secrets.byName(name);
  if (known) return known;
  const value = randomBytes(SECRET_BYTES);
  store.secrets.add({ name, value, created_at: now.toISOString() });
  return store.secrets.byName(name) ?? value;
}

/** HMAC-SHA-256 of a text, hex: the same text has another in every board and for every purpose. */
export function keyedHash(secret: Uint8Array, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}
