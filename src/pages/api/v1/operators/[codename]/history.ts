import { getOperatorHistory } from '#core/contract/operators.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readOperatorHistory, readyOperatorHistory } from '#server/board/operator-history.ts';

export const ALL = endpoint(
  bind(getOperatorHistory, async ({ ctx, params, query }) => {
    await readyOperatorHistory(ctx, params.codename, query);
    return { body: readOperatorHistory(ctx, params.codename, query) };
  }),
);
