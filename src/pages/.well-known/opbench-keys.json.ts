import { getBoardKeys } from '#core/contract/log.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readBoardKeys } from '#server/public-log/log.ts';

export const ALL = endpoint(bind(getBoardKeys, ({ ctx }) => ({ body: readBoardKeys(ctx) })));
