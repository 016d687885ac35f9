import type { KnownDevices } from '#core/contract/devices.ts';
import type { AppContext } from '../context.ts';
import { unusedCode } from './enrollment-code.ts';

/**
 * The devices of the account that created a code, for the machine that is about to use it.
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
