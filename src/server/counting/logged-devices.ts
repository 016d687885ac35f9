import type { Store } from '#db/store.ts';
import { DeviceKeys } from '#core/domain/log/device-keys.ts';
import type { EnrollPayload } from '#core/schema/log-payload.ts';

/** The keys of an operator's devices as they were at an entry of the log: others may have replaced these since. */
export function deviceKeysAt(
  { deviceReplacements }: Pick<Store, 'deviceReplacements'>,
  operator_id: number,
  until: number,
): DeviceKeys<{ operator: string; device: string }> {
  const keys = new DeviceKeys<{ operator: string; device: string }>();
  for (const payload of deviceReplacements.enrollments(operator_id, until)) {
    const { keyid, operator, device, replaces } = JSON.parse(payload) as EnrollPayload;
    keys.add(keyid, { operator, device });
    if (replaces !== undefined) keys.replace({ operator, device, replaces });
  }
  return keys;
}
