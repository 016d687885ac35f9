import { getSubmission } from '#core/contract/submissions.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readSubmission } from '#server/queries/submissions.ts';

export const ALL = endpoint(
  bind(getSubmission, ({ ctx, params }) => ({ body: readSubmission(ctx, params.id) })),
);
