import { getSubmissionEnvelope } from '#core/contract/submissions.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readSubmissionEnvelope } from '#server/submission/submissions.ts';

export const ALL = endpoint(
  bind(getSubmissionEnvelope, ({ ctx, params }) => {
    return { body: readSubmissionEnvelope(ctx, params.id) };
  }),
);
