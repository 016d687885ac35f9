import type { KeyRow } from '#db/devices.ts';
import type { Store } from '#db/store.ts';
import { DomainError } from '#core/domain/text/errors.ts';

/** A key that may sign now. */
export type ActiveKey = KeyRow;

/**
 * The key of this name, with its device and operator.
 *
 * @throws {DomainError} `key_unknown` or `key_revoked` if it may not sign.
 */
export function activeKey(store: Store, keyid: string): ActiveKey {
  const key = store.devices.key(keyid);
  if (!key) throw keyUnknown(keyid);
  if (key.revoked_at !== null) {
    throw new DomainError('key_revoked', `The key ${keyid} was revoked at ${key.revoked_at}`);
  }
  return key;
}

/** What is said of a key that nobody has, and of one that the asker must not know. */
export function keyUnknown(keyid: string): DomainError {
  return new DomainError('key_unknown', `No device is enrolled with the key ${keyid}`);
}
