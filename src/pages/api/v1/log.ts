import { getLog } from '#core/contract/log.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readLog } from '#server/public-log/log.ts';

export const ALL = endpoint(bind(getLog, ({ ctx, query }) => ({ body: readLog(ctx, query) })));
