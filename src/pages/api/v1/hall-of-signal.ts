import { getHallOfSignal } from '#core/contract/hall-of-signal.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readHallOfSignal } from '#server/board/hall-of-signal.ts';

export const ALL = endpoint(bind(getHallOfSignal, ({ ctx }) => ({ body: readHallOfSignal(ctx) })));
