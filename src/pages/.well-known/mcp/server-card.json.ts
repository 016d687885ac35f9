import { getWellKnownServerCard } from '#core/contract/mcp/manifests.ts';
import { bind, endpoint } from '#server/http/endpoint.ts';
import { readServerCard } from '#server/mcp/manifests.ts';

export const ALL = endpoint(
  bind(getWellKnownServerCard, ({ ctx }) => ({ body: readServerCard(ctx) })),
);
