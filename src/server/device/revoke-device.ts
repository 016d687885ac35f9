import type { RevokeQuery } from '#core/contract/devices.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { Device } from '#core/schema/device.ts';
import type { Caller } from '#core/schema/session.ts';
import type { AppContext } from '../context.ts';
import { deviceOf } from './device.ts';
import { recallDevice } from './mark-compromised.ts';
import { revokeKey } from './revoke-key.ts';

/**
 * Revokes a device of the caller; a device may revoke only itself. What it sent stays, unless its
 * operator calls it compromised.
 *
 * @throws {DomainError} `not_found` if the caller has no such device, `query_invalid` if a device calls
 *   itself compromised: who stole its key could so take back what it sent.
 */
export function revokeDevice(
  ctx: AppContext,
  caller: Caller,
  publicId: string,
  reason: RevokeQuery['reason'] = 'revoked',
): Device {
  const device = ctx.store.devices.byPublicId(publicId);
  const own =
    device?.operator_id === caller.operator_id &&
    (caller.device_id === null || caller.device_id === device.id);
  if (!own) throw new DomainError('not_found', 'The caller has no such device');
  if (reason === 'compromised' && caller.device_id !== null) {
    throw new DomainError('query_invalid', 'Only a signed-in operator can say compromised');
  }
  return ctx.store.transaction(() => {
    if (reason === 'compromised') recallDevice(ctx, device.id);
    else revokeKey(ctx, device.keyid, caller.device_id === null ? 'revoked' : 'logout');
    const revoked = deviceOf(ctx.store.devices.byId(device.id) ?? device);
    const isNew = revoked.revoked_reason !== device.revoked_reason;
    if (isNew) noteRevocation(ctx, device.operator_id, revoked);
    return revoked;
  });
}

function noteRevocation(
  ctx: AppContext,
  operator_id: number,
  { label, revoked_reason }: Device,
): void {
  const detail = revoked_reason === 'compromised' ? `${label}, and what it sent` : label;
  const created_at = ctx.now().toISOString();
  ctx.store.accountEvents.add({ operator_id, kind: 'device_revoked', detail, created_at });
}
