import type { Devices, KnownDevices } from '#core/contract/devices.ts';
import type { OperatorKeys } from '#core/contract/operators.ts';
import { toBase64Url } from '#core/domain/text/base64.ts';
import type { Device } from '#core/schema/device.ts';
import { SHOWN_DEVICES, SHOWN_KEYS } from '#core/schema/shown.ts';
import type { AppContext } from '../context.ts';
import { publicOperator } from '#server/publication/read/current-publication.ts';
import { unusedCode } from './create-enrollment-code.ts';
import type { DeviceRow } from '#db/devices.ts';
import { keyedHash, readSecret } from '#server/process/secrets.ts';
import type { Operator } from '#server/operator/operator.ts';

/** An operator's devices, active ones first, up to the number that is shown. */
export function readDevices({ store }: AppContext, operatorId: number): Device[] {
  return store.devices.ofOperator(operatorId, SHOWN_DEVICES).map(deviceOf);
}

/** The same list with the total number of devices. */
export function readDeviceList(ctx: AppContext, operatorId: number): Devices {
  return {
    total: ctx.store.devices.total(operatorId),
    devices: readDevices(ctx, operatorId),
  };
}

/**
 * The devices of the account that created an enrollment code, for the machine that is about to use it.
 *
 * @throws {DomainError} `enrollment_code_invalid` if the code cannot enroll a device.
 */
export function readKnownDevices(ctx: AppContext, typed: string): KnownDevices {
  const { knownDevices } = ctx.store;
  return ctx.store.snapshot(() => {
    const { operator_id } = unusedCode(ctx, typed);
    const devices = knownDevices.lastUsed(operator_id).map((device) => {
      const { public_id: id, label, enrolled_at, revoked_at, last_submission_at } = device;
      const days = knownDevices.days(device);
      return { id, label, enrolled_at, revoked_at, last_submission_at, days };
    });
    return { devices };
  });
}

/**
 * The newest keys of an operator's devices, newest first.
 *
 * @throws {DomainError} `not_found` if there is no such operator.
 */
export function readOperatorKeys(ctx: AppContext, codename: string): OperatorKeys {
  return ctx.store.snapshot(() => {
    const { id } = publicOperator(ctx, codename);
    const keys = ctx.store.devices
      .keysOfOperator(id, SHOWN_KEYS)
      .map((key) => ({ ...key, public_key: toBase64Url(key.public_key) }));
    return { codename, total: ctx.store.devices.keyCounts(id).keys, keys };
  });
}

export function deviceOf(row: DeviceRow): Device {
  const { public_id, label, keyid, enrolled_at, last_submission_at } = row;
  const { revoked_at, revoked_reason, replaced } = row;
  return {
    id: public_id,
    label,
    keyid,
    enrolled_at,
    revoked_at,
    revoked_reason,
    last_submission_at,
    replaced: JSON.parse(replaced) as Device['replaced'],
  };
}

/**
 * The key with which an account's devices hash responses for fingerprints, base64url. Only these devices may get it,
 * because it allows testing which responses a fingerprint stands for.
 */
export function fingerprintKey(
  { store, now }: Pick<AppContext, 'now' | 'store'>,
  { public_id }: Pick<Operator, 'public_id'>,
): string {
  const key = keyedHash(readSecret(store, 'fingerprints', now()), public_id);
  return Buffer.from(key, 'hex').toString('base64url');
}
