import { getPeers } from '#core/contract/peers.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readPeers, readyPeers } from '#server/board/peers.ts';

export const ALL = endpoint(
  bind(getPeers, async ({ ctx, caller, query }) => {
    await readyPeers(ctx, caller);
    return { body: readPeers(ctx, caller, query) };
  }),
);
