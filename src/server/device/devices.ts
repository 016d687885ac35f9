import type { Devices } from '#core/contract/devices.ts';
import type { Device } from '#core/schema/device.ts';
import { SHOWN_DEVICES } from '#core/schema/shown.ts';
import type { AppContext } from '../context.ts';
import { deviceOf } from './device.ts';

/** An operator's devices, those that may sign first, as many as are shown. */
export function readDevices({ store }: AppContext, operatorId: number): Device[] {
  return store.devices.ofOperator(operatorId, SHOWN_DEVICES).map(deviceOf);
}

/** The same, and how many there are in all. */
export function readDeviceList(ctx: AppContext, operatorId: number): Devices {
  return {
    total: ctx.store.devices.total(operatorId),
    devices: readDevices(ctx, operatorId),
  };
}
