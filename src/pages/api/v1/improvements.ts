import { getImprovements } from '#core/contract/improvements.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readImprovements, readyImprovements } from '#server/board/improvements.ts';

export const ALL = endpoint(
  bind(getImprovements, async ({ ctx, caller, query }) => {
    await readyImprovements(ctx, caller);
    return { body: readImprovements(ctx, caller, query) };
  }),
);
