/** Text that only this board can read again. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts a text.
 *
 * @param context What the text belongs to: it cannot be read in place of another's.
 */
export function seal(secret: Uint8Array, text: string, context: string): Uint8Array {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, secret, iv).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** The text that was sealed for this context, or null if it was changed or is another's. */
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
