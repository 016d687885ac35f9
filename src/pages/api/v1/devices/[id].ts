import { revokeDevice } from '#core/contract/devices.ts';
import { revokeDevice as revoke } from '#server/commands/revoke-device.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const ALL = endpoint(
  bind(revokeDevice, ({ ctx, caller, params }) => {
    return { body: revoke(ctx, caller, params.id) };
  }),
);
