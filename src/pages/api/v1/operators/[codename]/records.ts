import { getOperatorRecords } from '#core/contract/operators.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readOperatorRecords, readyOperatorRecords } from '#server/board/operator-records.ts';

export const ALL = endpoint(
  bind(getOperatorRecords, async ({ ctx, params, query }) => {
    await readyOperatorRecords(ctx, params.codename);
    return { body: readOperatorRecords(ctx, params.codename, query) };
  }),
);
