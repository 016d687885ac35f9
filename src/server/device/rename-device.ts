import { DomainError } from '#core/domain/text/errors.ts';
import type { Device } from '#core/schema/device.ts';
import type { AppContext } from '../context.ts';
import { deviceOf } from './devices.ts';

export function renameDevice(
  { store }: AppContext,
  operator_id: number,
  publicId: string,
  label: string,
): Device {
  return store.transaction(() => {
    const device = store.devices.byPublicId(publicId);
    if (device?.operator_id !== operator_id) {
      throw new DomainError('not_found', 'You have no device with this ID');
    }
    store.devices.relabel(device.id, label);
    return deviceOf({ ...device, label });
  });
}
