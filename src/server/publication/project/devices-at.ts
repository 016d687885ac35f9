import type { Store } from '#db/store.ts';
import type { AcceptedRow } from '#db/submissions.ts';
import { deviceKeysAt } from '#server/counting/logged-devices.ts';

/** Numbers the devices that submissions counted for at an entry of the log: others may have replaced them since. */
export function devicesAt(
  store: Store,
  operator_id: number,
  until: number,
): (row: Pick<AcceptedRow, 'device_id' | 'keyid'>) => number {
  const keys = deviceKeysAt(store, operator_id, until);
  const numbers = new Map<string, number>();
  return ({ keyid, device_id }) => {
    const device = keyid === null ? undefined : keys.get(keyid)?.device;
    if (device === undefined) return device_id;
    // Below zero: what was sent by hand keeps the number of its row.
    const number = numbers.get(device) ?? -1 - numbers.size;
    numbers.set(device, number);
    return number;
  };
}
