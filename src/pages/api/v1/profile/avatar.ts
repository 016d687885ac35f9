import { removeAvatar, setAvatar } from '#core/contract/profile.ts';
import { removeAvatar as remove, setAvatar as set } from '#server/operator/set-avatar.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const ALL = endpoint(
  bind(setAvatar, async ({ ctx, caller, body }) => {
    return { body: await set(ctx, caller.operator_id, Buffer.from(body.file, 'latin1')) };
  }),
  bind(removeAvatar, async ({ ctx, caller }) => {
    return { body: await remove(ctx, caller.operator_id) };
  }),
);
