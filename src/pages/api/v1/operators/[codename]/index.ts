import { getOperator } from '#core/contract/operators.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readOperator } from '#server/board/operator.ts';

export const ALL = endpoint(
  bind(getOperator, ({ ctx, params, query }) => ({
    body: readOperator(ctx, params.codename, query),
  })),
);
