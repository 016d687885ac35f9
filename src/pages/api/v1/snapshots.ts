import { submitSnapshot } from '#core/contract/snapshots.ts';
import { submitRecords, tryRecords } from '#server/submission/submit-records.ts';
import { submitSnapshot as submit, trySnapshot } from '#server/submission/submit-snapshot.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const ALL = endpoint(
  bind(submitSnapshot, async ({ ctx, query, body, caller, headers }) => {
    const idempotencyKey = headers['Idempotency-Key'];
    if (query.dry_run === 'true') {
      const preview = caller
        ? await tryRecords(ctx, caller, { text: body, idempotencyKey })
        : await trySnapshot(ctx, body);
      return { body: preview, status: 200 };
    }
    const { created, answer } = caller
      ? await submitRecords(ctx, caller, { text: body, idempotencyKey })
      : await submit(ctx, body);
    const Location = `/api/v1/submissions/${answer.id}`;
    return { body: answer, status: created ? 201 : 200, headers: { Location } };
  }),
);
