import type { AppContext } from '../context.ts';
import { keyedHash, readSecret } from '../identity/secrets.ts';
import type { Operator } from '../operator/operator.ts';

/**
 * The key by which an account's devices hash the responses behind what they state, base64url. It is
 * for these devices alone: with it, one can test which responses a fingerprint is of.
 */
export function fingerprintKey(
  { store, now }: Pick<AppContext, 'now' | 'store'>,
  { public_id }: Pick<Operator, 'public_id'>,
): string {
  const key = keyedHash(readSecret(store, 'fingerprints', now()), public_id);
  return Buffer.from(key, 'hex').toString('base64url');
}
