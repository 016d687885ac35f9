import type { Device } from '#core/schema/device.ts';
import type { AppContext } from '../context.ts';
import { deviceOf } from '../device.ts';

/** An operator's devices, those that may sign first. */
export function readDevices(ctx: AppContext, operatorId: number): Device[] {
  return ctx.store.devices.ofOperator(operatorId).map(deviceOf);
}
