import { listKnownDevices } from '#core/contract/devices.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readKnownDevices } from '#server/device/devices.ts';

export const ALL = endpoint(
  bind(listKnownDevices, ({ ctx, body, limit }) => {
    limit('enroll');
    return { body: readKnownDevices(ctx, body.code) };
  }),
);
