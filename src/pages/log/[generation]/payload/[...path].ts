import { linesEndpoint } from '#server/http/log-endpoints.ts';
import { sizeOfLog } from '#server/public-log/published-logs.ts';
import { taggedPayload } from '#server/public-log/tiles.ts';

export const GET = linesEndpoint(({ locals: { ctx }, params }) =>
  taggedPayload(ctx, params['path'] ?? '', sizeOfLog(ctx, params['generation'])),
);
