import { gzipEndpoint } from '#server/http/gzip-endpoint.ts';
import { openPublicLog } from '#server/public-log/log.ts';

export const GET = gzipEndpoint('log.ndjson.gz', openPublicLog);
