import { listSubmissions } from '#core/contract/submissions.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readSubmissions } from '#server/queries/submissions.ts';

export const ALL = endpoint(
  bind(listSubmissions, ({ ctx, query }) => ({ body: readSubmissions(ctx, query) })),
);
