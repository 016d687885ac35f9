import { restoreSubmission } from '#core/contract/submissions.ts';
import { restoreSubmission as restore } from '#server/submission/withdraw-submission.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readSubmission, readySubmission } from '#server/submission/submissions.ts';

export const ALL = endpoint(
  bind(restoreSubmission, async ({ ctx, caller, params }) => {
    await restore(ctx, caller, params.id);
    await readySubmission(ctx, params.id);
    return { body: readSubmission(ctx, params.id, caller) };
  }),
);
