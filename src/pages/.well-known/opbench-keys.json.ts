import { getBoardKeys } from '#core/contract/keys.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readBoardKeys } from '#server/public-log/board-keys.ts';

export const ALL = endpoint(bind(getBoardKeys, ({ ctx }) => ({ body: readBoardKeys(ctx) })));
