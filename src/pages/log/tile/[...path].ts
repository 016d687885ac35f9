import { immutableEndpoint } from '#server/http/log-endpoints.ts';
import { sizeOfLog } from '#server/public-log/published-logs.ts';
import { readTile } from '#server/public-log/tiles.ts';

export const GET = immutableEndpoint(({ locals: { ctx }, params }) =>
  readTile(ctx, `tile/${params['path']}`, sizeOfLog(ctx, params['generation'])),
);
