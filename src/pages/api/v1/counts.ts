import { listCounts } from '#core/contract/counts.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readCounts } from '#server/submission/counts.ts';

export const ALL = endpoint(
  bind(listCounts, async ({ ctx, caller, query }) => ({
    body: await readCounts(ctx, caller, query),
  })),
);
