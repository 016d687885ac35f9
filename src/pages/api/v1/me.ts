import { getMe } from '#core/contract/me.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readMe, readyMe } from '#server/board/me.ts';

export const ALL = endpoint(
  bind(getMe, async ({ ctx, caller }) => {
    await readyMe(ctx, caller);
    return { body: readMe(ctx, caller) };
  }),
);
