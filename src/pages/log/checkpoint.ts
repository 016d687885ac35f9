import { textEndpoint } from '#server/http/text-endpoint.ts';
import { readLogNote } from '#server/public-log/published-logs.ts';

export const GET = textEndpoint('text/plain', ({ locals: { ctx }, params }) =>
  readLogNote(ctx, params['generation']),
);
