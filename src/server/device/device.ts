import type { DeviceRow } from '#db/devices.ts';
import type { Device } from '#core/schema/device.ts';
import type { AppContext } from '../context.ts';
import { keyedHash, readSecret } from '../process/secrets.ts';
import type { Operator } from '../operator/operator.ts';

export function deviceOf(row: DeviceRow): Device {
  const { public_id, label, keyid, enrolled_at, last_submission_at } = row;
  const { revoked_at, revoked_reason, replaced } = row;
  return {
    id: public_id,
    label,
    keyid,
    enrolled_at,
    revoked_at,
    revoked_reason,
    last_submission_at,
    replaced: JSON.parse(replaced) as Device['replaced'],
  };
}

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
