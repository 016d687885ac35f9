import { getUserInfo } from '#core/contract/oauth.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readUserInfo } from '#server/identity/provider/oauth-metadata.ts';

export const ALL = endpoint(
  bind(getUserInfo, ({ ctx, caller }) => ({ body: readUserInfo(ctx, caller) })),
);
