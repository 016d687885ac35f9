import { getOperatorKeys } from '#core/contract/operators.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readOperatorKeys } from '#server/device/devices.ts';

export const ALL = endpoint(
  bind(getOperatorKeys, ({ ctx, params }) => ({ body: readOperatorKeys(ctx, params.codename) })),
);
