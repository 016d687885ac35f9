import { getPeers } from '#core/contract/peers.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readPeers } from '#server/queries/peers.ts';

export const ALL = endpoint(
  bind(getPeers, ({ ctx, caller, query }) => ({ body: readPeers(ctx, caller, query) })),
);
