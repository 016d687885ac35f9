import { gzipEndpoint } from '#server/http/gzip-endpoint.ts';
import { openPublicBoards } from '#server/public-log/log.ts';

export const GET = gzipEndpoint('log-boards.ndjson.gz', openPublicBoards);
