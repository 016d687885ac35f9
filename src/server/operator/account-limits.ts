/** How much one account may have: what it enrolls and what it stores. */
import { ACCOUNT_LIMITS } from '#core/contract/limits.ts';
import { DomainError } from '#core/domain/text/errors.ts';
import type { AppContext } from '../context.ts';

/**
 * Makes sure, inside the transaction, that an account may enroll one more key.
 *
 * @param device_id The device that gets it; undefined for a new one.
 * @throws {DomainError} `account_limit_reached` or `quota_exceeded` if it may not.
 */
export function checkDeviceLimits(
  { store, limiter }: AppContext,
  operator_id: number,
  device_id: number | undefined,
): void {
  const { keys, active } = store.devices.keyCounts(operator_id);
  const { active_devices, device_keys } = ACCOUNT_LIMITS;
  const isReplaced = device_id !== undefined && store.devices.activeKey(device_id) !== undefined;
  if (!isReplaced && active >= active_devices.most) {
    throw reached(
      `The account has ${active} active devices and may have ${active_devices.most}. Revoke one that you do not use any more under Settings, Devices.`,
    );
  }
  if (keys >= device_keys.most) {
    throw reached(
      `The account has enrolled ${keys} keys, revoked ones included, and may enroll ${device_keys.most}. Keep a device's state folder instead of enrolling it again, or write to the admin of the board.`,
    );
  }
  limiter.take('enroll_account', String(operator_id));
}

/**
 * Makes sure, inside the transaction that stored a submission, that the account's log stays small enough.
 *
 * @throws {DomainError} `account_limit_reached` if it does not.
 */
export function checkStoredBytes({ store }: Pick<AppContext, 'store'>, operator_id: number): void {
  const { most } = ACCOUNT_LIMITS.stored_bytes;
  if (store.log.bytesOf(operator_id) <= most) return;
  throw reached(
    `With this the account's submissions fill more than ${most} bytes. They cannot be deleted one by one: write to the admin of the board, or delete the account and begin again.`,
  );
}

function reached(detail: string): DomainError {
  return new DomainError('account_limit_reached', detail);
}
