import { mcpEndpoint } from '#server/mcp/endpoint.ts';
import { isProtected, serverOf } from '#server/mcp/server.ts';

export const ALL = mcpEndpoint({ serverOf, isProtected });
