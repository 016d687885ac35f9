import type { DeviceRow } from '#db/devices.ts';
import type { Device } from '#core/schema/device.ts';

/** A stored device as the wire shows it. */
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
