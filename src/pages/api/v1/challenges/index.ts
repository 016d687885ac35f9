import { listChallenges } from '#core/contract/challenges.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readChallenges } from '#server/challenge/challenges.ts';

export const ALL = endpoint(
  bind(listChallenges, ({ ctx, query }) => ({ body: readChallenges(ctx, query) })),
);
