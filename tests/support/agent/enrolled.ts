/** Devices of operators on a board in the same process. */
import type { Fetch } from '#agent/board/client.ts';
import type { LocalDevice } from '#agent/device.ts';
import type { Identity } from '#agent/state/keystore.ts';
import { enroll } from '#agent/loop/enroll.ts';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { aDeviceOf } from './agent.ts';
import { BASE_URL } from '../board/builders.ts';
import { type TestContext, anOperator } from '../board/context.ts';

/** Enrolls a device of an operator, who may already exist. */
export async function enrolled(
  ctx: TestContext,
  device: LocalDevice,
  codename = 'ada',
): Promise<Identity> {
  const { id } = ctx.store.operators.byCodename(codename) ?? anOperator(ctx, codename);
  const { code } = createEnrollmentCode(ctx, id);
  return enroll(device, { code, board: BASE_URL, label: 'Laptop' });
}

/** An enrolled device with the logs of `home`. */
export async function anEnrolledDevice(
  ctx: TestContext,
  codename: string,
  { home, fetch }: { home?: string; fetch?: Fetch } = {},
) {
  const made = aDeviceOf(ctx, fetch);
  const device = home === undefined ? made : { ...made, environment: { HOME: home } };
  return { device, identity: await enrolled(ctx, device, codename) };
}
