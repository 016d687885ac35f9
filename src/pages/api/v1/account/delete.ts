import { deleteAccount } from '#core/contract/account.ts';
import { deleteAccount as deleteOwn } from '#server/account/delete-account.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const ALL = endpoint(
  bind(deleteAccount, async ({ ctx, caller, body }) => {
    const deleted = await deleteOwn(ctx, caller.operator_id, body.confirm);
    // Its sessions are gone; what is left is the browser's cookie.
    return { body: deleted, headers: { 'Set-Cookie': await ctx.sessions.end(null) } };
  }),
);
