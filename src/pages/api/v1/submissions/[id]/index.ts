import { getSubmission } from '#core/contract/submissions.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readSubmission, readySubmission } from '#server/submission/submissions.ts';

export const ALL = endpoint(
  bind(getSubmission, async ({ ctx, params }) => {
    await readySubmission(ctx, params.id);
    return { body: readSubmission(ctx, params.id) };
  }),
);
