import { getImprovements } from '#core/contract/improvements.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readImprovements } from '#server/queries/improvements.ts';

export const ALL = endpoint(
  bind(getImprovements, ({ ctx, caller, query }) => ({
    body: readImprovements(ctx, caller, query),
  })),
);
