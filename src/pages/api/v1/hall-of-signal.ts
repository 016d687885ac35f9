import { getHallOfSignal } from '#core/contract/hall-of-signal.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readHallOfSignal } from '#server/board/metric-page.ts';

export const ALL = endpoint(bind(getHallOfSignal, ({ ctx }) => ({ body: readHallOfSignal(ctx) })));
