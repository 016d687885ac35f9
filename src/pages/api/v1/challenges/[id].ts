import { getChallenge } from '#core/contract/challenges.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readChallenge } from '#server/queries/challenges.ts';

export const ALL = endpoint(
  bind(getChallenge, ({ ctx, query, params }) => ({ body: readChallenge(ctx, params.id, query) })),
);
