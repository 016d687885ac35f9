import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { Store } from '#db/store.ts';

/** The board's secrets, one for each purpose, so that one does not reveal another. */
type SecretName =
  | 'aliases'
  | 'codenames'
  | 'fingerprints'
  | 'mailboxes'
  | 'provider-cookies'
  | 'subjects'
  | 'tokens'
  | 'unsubscribe'
  | 'webhooks';

const SECRET_BYTES = 32;

/** Returns a secret of 32 random bytes, creating it on first use. */
export function readSecret(store: Store, name: SecretName, now: Date): Uint8Array {
  const known = store.secrets.byName(name);
  if (known) return known;
  const value = randomBytes(SECRET_BYTES);
  store.secrets.add({ name, value, created_at: now.toISOString() });
  return store.secrets.byName(name) ?? value;
}

/** HMAC-SHA-256 of a text, in hex. The result differs for each board and purpose. */
export function keyedHash(secret: Uint8Array, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex');
}

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

export function seal(secret: Uint8Array, text: string, context: string): Uint8Array {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, secret, iv).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** Returns the text that was sealed for this context, or null if it was changed or sealed for another context. */
export function unseal(secret: Uint8Array, sealed: Uint8Array, context: string): string | null {
  const bytes = Buffer.from(sealed);
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  if (tag.length < TAG_BYTES) return null;
  const decipher = createDecipheriv(ALGORITHM, secret, bytes.subarray(0, IV_BYTES));
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
  try {
    const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return null;
  }
}
