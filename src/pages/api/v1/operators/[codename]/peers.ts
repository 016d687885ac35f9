import { getOperatorPeers } from '#core/contract/peers.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readOperatorPeers } from '#server/board/peers.ts';

export const ALL = endpoint(
  bind(getOperatorPeers, ({ ctx, params, query }) => ({
    body: readOperatorPeers(ctx, params.codename, query),
  })),
);
