import { DomainError } from '#core/domain/errors.ts';
import type { Device } from '#core/schema/device.ts';
import type { Caller } from '#core/schema/session.ts';
import type { AppContext } from '../context.ts';
import { deviceOf } from '../device.ts';
import { revokeKey } from '../revoke-key.ts';

/**
 * Revokes a device of the caller; a device may revoke only itself. What it sent stays.
 *
 * @throws {DomainError} `not_found` if the caller has no such device.
 */
export function revokeDevice(ctx: AppContext, caller: Caller, publicId: string): Device {
  const device = ctx.store.devices.byPublicId(publicId);
  const own =
    device?.operator_id === caller.operator_id &&
    (caller.device_id === null || caller.device_id === device.id);
  if (!own) throw new DomainError('not_found', 'The caller has no such device');
  const reason = caller.device_id === null ? 'revoked' : 'logout';
  return ctx.store.transaction(() => {
    revokeKey(ctx, device.keyid, reason);
    return deviceOf(ctx.store.devices.byId(device.id) ?? device);
  });
}
