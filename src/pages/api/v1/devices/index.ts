import { listDevices } from '#core/contract/devices.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readDeviceList } from '#server/device/devices.ts';

export const ALL = endpoint(
  bind(listDevices, ({ ctx, caller }) => {
    return { body: readDeviceList(ctx, caller.operator_id) };
  }),
);
