import { createDeviceCode } from '#core/contract/devices.ts';
import { createEnrollmentCode } from '#server/device/create-enrollment-code.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const ALL = endpoint(
  bind(createDeviceCode, ({ ctx, caller }) => {
    return { body: createEnrollmentCode(ctx, caller.operator_id) };
  }),
);
