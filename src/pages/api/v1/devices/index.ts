import { listDevices } from '#core/contract/devices.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readDevices } from '#server/queries/devices.ts';

export const ALL = endpoint(
  bind(listDevices, ({ ctx, caller }) => {
    return { body: { devices: readDevices(ctx, caller.operator_id) } };
  }),
);
