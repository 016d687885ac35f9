import { renameDevice, revokeDevice } from '#core/contract/devices.ts';
import { renameDevice as rename } from '#server/device/rename-device.ts';
import { revokeDevice as revoke } from '#server/device/revoke-device.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const ALL = endpoint(
  bind(renameDevice, ({ ctx, caller, params, body }) => {
    return { body: rename(ctx, caller.operator_id, params.id, body.label) };
  }),
  bind(revokeDevice, ({ ctx, caller, params, query }) => {
    return { body: revoke(ctx, caller, params.id, query.reason) };
  }),
);
