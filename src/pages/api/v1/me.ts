import { getMe } from '#core/contract/me.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readMe } from '#server/queries/me.ts';

export const ALL = endpoint(bind(getMe, ({ ctx, caller }) => ({ body: readMe(ctx, caller) })));
