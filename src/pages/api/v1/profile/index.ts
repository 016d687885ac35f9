import { getProfile, updateProfile } from '#core/contract/profile.ts';
import { updateProfile as update } from '#server/operator/update-profile.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readProfile } from '#server/operator/own-profile.ts';

export const ALL = endpoint(
  bind(getProfile, ({ ctx, caller }) => ({ body: readProfile(ctx, caller.operator_id) })),
  bind(updateProfile, async ({ ctx, caller, body }) => {
    return { body: await update(ctx, caller.operator_id, body) };
  }),
);
