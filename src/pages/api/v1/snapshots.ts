import { submitSnapshot } from '#core/contract/snapshots.ts';
import { submitRecords } from '#server/commands/submit-records.ts';
import { submitSnapshot as submit } from '#server/commands/submit-snapshot.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const ALL = endpoint(
  bind(submitSnapshot, async ({ ctx, body, caller, headers }) => {
    const idempotencyKey = headers['Idempotency-Key'];
    const { created, answer } = caller
      ? await submitRecords(ctx, caller, { text: body, idempotencyKey })
      : await submit(ctx, body);
    const Location = `/api/v1/submissions/${answer.id}`;
    return { body: answer, status: created ? 201 : 200, headers: { Location } };
  }),
);
