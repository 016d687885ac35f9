import { enrollDevice } from '#core/contract/devices.ts';
import { enrollDevice as enroll } from '#server/device/enroll-device.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const ALL = endpoint(
  bind(enrollDevice, async ({ ctx, body, limit }) => {
    limit('enroll');
    const { created, enrollment } = await enroll(ctx, body);
    return { body: enrollment, status: created ? 201 : 200 };
  }),
);
