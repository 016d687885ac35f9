import { listDays } from '#core/contract/leaderboard.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readDays } from '#server/board/days.ts';

export const ALL = endpoint(bind(listDays, ({ ctx, query }) => ({ body: readDays(ctx, query) })));
