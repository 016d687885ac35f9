import {
  type McpHttpHandler,
  type McpServer,
  type PerRequestResponseMode,
  createMcpHandler,
} from '@modelcontextprotocol/server';
import type { APIRoute } from 'astro';
import type { Caller } from '#core/schema/session.ts';
import type { AppContext } from '../context.ts';
import { problemResponse } from '../http/endpoint.ts';
import { type Protected, callerOf } from './gate.ts';

/** What a server answers one message with. */
export interface Served {
  ctx: AppContext;
  /** Who calls; null for anyone. */
  caller: Caller | null;
}

export interface McpOptions {
  serverOf: (served: Served) => McpServer;
  isProtected: Protected;
  /** Whether answers may become streams. */
  responseMode?: PerRequestResponseMode;
}

/** Serves MCP without sessions: each message is let in by the gate and answered by a server of its own. */
export function mcpEndpoint({
  serverOf,
  isProtected,
  responseMode = 'json',
}: McpOptions): APIRoute {
  return async (context) => {
    const { locals, request } = context;
    const { ctx } = locals;
    try {
      const message = await messageOf(request);
      const caller = await callerOf(context, message, isProtected);
      const handler: McpHttpHandler = createMcpHandler(() => serverOf({ ctx, caller }), {
        responseMode,
        onerror: (error) => ctx.logger.warn('mcp_refused', { reason: error.message }),
      });
      return await handler.fetch(request);
    } catch (error) {
      return problemResponse(error, context, [], 'mcp');
    }
  };
}

/** The message as far as the gate has to understand it; what is none is refused by the server itself. */
async function messageOf(request: Request): Promise<unknown> {
  try {
    return await request.clone().json();
  } catch {
    return null;
  }
}
