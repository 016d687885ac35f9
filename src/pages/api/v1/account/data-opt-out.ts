import { setDataOptOut } from '#core/contract/account.ts';
import { setDataOptOut as set } from '#server/operator/set-data-opt-out.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const ALL = endpoint(
  bind(setDataOptOut, async ({ ctx, caller, body }) => {
    return { body: await set(ctx, caller.operator_id, body) };
  }),
);
