import { getOperatorRecords } from '#core/contract/operators.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readOperatorRecords } from '#server/queries/operator-records.ts';

export const ALL = endpoint(
  bind(getOperatorRecords, ({ ctx, params, query }) => {
    return { body: readOperatorRecords(ctx, params.codename, query) };
  }),
);
