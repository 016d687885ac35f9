import type { RevokeQuery } from '#core/contract/devices.ts';
import { settleGroup } from '#core/domain/counting/counting.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { Device } from '#core/schema/device.ts';
import type { RevokedReason } from '#core/schema/operator.ts';
import type { Caller } from '#core/schema/account.ts';
import type { AppContext, Board } from '../context.ts';
import { replaceCounts } from '../counting/replace-counts.ts';
import { changeWithinLimits } from '../operator/operator-limits.ts';
import { deviceOf } from './devices.ts';

/**
 * Revokes a device of the caller. A device may revoke only itself. Its submissions stay, unless the operator marks it
 * as compromised.
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
  if (!own) throw new DomainError('not_found', 'You have no device with this ID');
  if (reason === 'compromised' && caller.device_id !== null) {
    throw new DomainError(
      'query_invalid',
      'A device cannot mark itself as compromised. Sign in to do so',
    );
  }
  return ctx.store.transaction(() => {
    if (reason === 'compromised') markDeviceCompromised(ctx, device.id);
    else revokeKey(ctx, device.keyid, caller.device_id === null ? 'revoked' : 'logout');
    const revoked = deviceOf(ctx.store.devices.byId(device.id) ?? device);
    const isNew = revoked.revoked_reason !== device.revoked_reason;
    if (isNew) noteRevocation(ctx, device.operator_id, revoked);
    return revoked;
  });
}

function noteRevocation(ctx: AppContext, operator_id: number, { label, revoked_reason }: Device) {
  const detail = revoked_reason === 'compromised' ? `${label}, as compromised` : label;
  const created_at = ctx.now().toISOString();
  ctx.store.accountEvents.add({ operator_id, kind: 'device_revoked', detail, created_at });
}

/**
 * Marks a device as compromised. All its submissions are withdrawn, and counts that they superseded count again. Does
 * nothing if the device is already marked. Call it inside a transaction.
 */
export function markDeviceCompromised(ctx: Board, device_id: number): void {
  const { store } = ctx;
  const now = ctx.now();
  const device = store.devices.byId(device_id);
  if (!device || !store.compromisedDevices.mark(device_id, now.toISOString())) return;
  const { operator_id, keyid, public_id } = device;
  const operator = store.operators.byId(operator_id)?.public_id;
  const { log_index, received_at } = store.log.append({
    kind: 'revoke',
    operator_id,
    payload: { operator, device: public_id, keyid, reason: 'compromised' },
    now,
  });
  const nothing = {
    device_id,
    log_index,
    trust: 'signed',
    correction: null,
    buckets: [],
  } as const;
  changeWithinLimits(ctx, operator_id, () => {
    const groups = store.compromisedDevices
      .groupsOf({ operator_id, device_id })
      .map((group) => store.buckets.group({ operator_id, ...group }));
    const settled = groups.flatMap((group) => {
      const others = group.filter((bucket) => bucket.device_id !== device_id);
      return settleGroup(others, nothing);
    });
    replaceCounts(ctx, { operator_id, before: groups.flat(), after: settled, received_at });
  });
  store.compromisedDevices.withdraw(device_id);
  store.operators.touch(operator_id, log_index);
}

/** Revokes a key and enters that in the log. Call it inside a transaction. */
export function revokeKey(ctx: Board, keyid: string, reason: RevokedReason): void {
  const { store } = ctx;
  const now = ctx.now();
  const key = store.devices.key(keyid);
  if (!key || !store.devices.revokeKey(keyid, reason, now.toISOString())) return;
  const operator = store.operators.byId(key.operator_id)?.public_id;
  const device = store.devices.byId(key.device_id)?.public_id;
  store.log.append({
    kind: 'revoke',
    operator_id: key.operator_id,
    payload: { operator, device, keyid, reason },
    now,
  });
}
