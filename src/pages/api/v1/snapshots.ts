import { submitSnapshot } from '#core/contract/snapshots.ts';
import { submitSnapshot as submit } from '#server/commands/submit-snapshot.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';

export const ALL = endpoint(
  bind(submitSnapshot, async ({ ctx, body }) => {
    const { created, answer } = await submit(ctx, body);
    const Location = `/api/v1/submissions/${answer.id}`;
    return { body: answer, status: created ? 201 : 200, headers: { Location } };
  }),
);
