import { getChallenge } from '#core/contract/challenges.ts';
import { cursorHeaders } from '#server/http/response/cache-control.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readChallenge } from '#server/challenge/challenges.ts';

export const ALL = endpoint(
  bind(getChallenge, ({ ctx, query, params }) => {
    const body = readChallenge(ctx, params.id, query);
    return { body, headers: cursorHeaders(ctx.config, body) };
  }),
);
