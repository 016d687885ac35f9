import { listSubmissions } from '#core/contract/submissions.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readSubmissions, readySubmissions } from '#server/submission/submissions.ts';

export const ALL = endpoint(
  bind(listSubmissions, async ({ ctx, query }) => {
    await readySubmissions(ctx, query);
    return { body: readSubmissions(ctx, query) };
  }),
);
