import { setCodename } from '#core/contract/profile.ts';
import { setCodename as set } from '#server/operator/set-codename.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const ALL = endpoint(
  bind(setCodename, async ({ ctx, caller, body }) => {
    return { body: await set(ctx, caller.operator_id, body.codename) };
  }),
);
