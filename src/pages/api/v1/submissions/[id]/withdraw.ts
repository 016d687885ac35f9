import { withdrawSubmission } from '#core/contract/submissions.ts';
import { withdrawSubmission as withdraw } from '#server/submission/withdraw-submission.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readSubmission, readySubmission } from '#server/submission/submissions.ts';

export const ALL = endpoint(
  bind(withdrawSubmission, async ({ ctx, caller, params }) => {
    await withdraw(ctx, caller, params.id);
    await readySubmission(ctx, params.id);
    return { body: readSubmission(ctx, params.id, caller) };
  }),
);
