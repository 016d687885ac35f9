import { getOperatorKeys } from '#core/contract/operators.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readOperatorKeys } from '#server/device/operator-keys.ts';

export const ALL = endpoint(
  bind(getOperatorKeys, ({ ctx, params }) => ({ body: readOperatorKeys(ctx, params.codename) })),
);
