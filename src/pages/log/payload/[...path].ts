import { linesEndpoint } from '#server/http/log-endpoints.ts';
import { sizeOfLog } from '#server/public-log/published-logs.ts';
import { payloadLines } from '#server/public-log/tiles.ts';

export const GET = linesEndpoint(({ locals: { ctx }, params }) =>
  payloadLines(ctx, params['path'] ?? '', sizeOfLog(ctx, params['generation'])),
);
