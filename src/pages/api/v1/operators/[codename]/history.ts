import { getOperatorHistory } from '#core/contract/operators.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readOperatorHistory } from '#server/queries/operator-history.ts';

export const ALL = endpoint(
  bind(getOperatorHistory, ({ ctx, params, query }) => {
    return { body: readOperatorHistory(ctx, params.codename, query) };
  }),
);
