/** Both generations of the protocol over HTTP, without sessions. */
import {
  type McpServer,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server';
import { MessageError } from './message.ts';
import type { Caller } from '#core/schema/account.ts';
import type { AppContext } from '../context.ts';

/**
 * `json`: each message is answered by one JSON document, and nothing stays open, for servers whose tools
 * tell nothing while they work. `auto`: an answer becomes a stream when a tool does.
 */
export type ResponseMode = 'auto' | 'json';

/** Answers a message that was let in. */
export type Transport = (request: Request, message: unknown, served: Served) => Promise<Response>;

export function transportOf(
  serverOf: (served: Served) => McpServer,
  responseMode: ResponseMode,
): Transport {
  return async (request, message, served) => {
    if (responseMode === 'json') {
      if (await isLegacyRequest(request, message)) {
        return answerLegacy(serverOf(served), request, message);
      }
      refuseSubscription(message);
    }
    return answerAny(serverOf, request, message, served);
  };
}

/** A handler costs microseconds, and one that serves one message knows whom it serves. */
async function answerAny(
  serverOf: (served: Served) => McpServer,
  request: Request,
  message: unknown,
  served: Served,
): Promise<Response> {
  let last: Error | undefined;
  const handler = createMcpHandler(() => serverOf(served), { onerror: (error) => (last = error) });
  const response = await handler.fetch(request, { parsedBody: message });
  // Anything less is what the client did wrong, and has been told to it.
  if (response.status >= 500) {
    served.ctx.logger.error('request_failed', last, { request: served.requestId });
  }
  return response;
}

/** The revisions before 2026-07-28, which know servers without sessions too. */
async function answerLegacy(
  server: McpServer,
  request: Request,
  message: unknown,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

/** Nothing that could be subscribed to ever changes while the program runs. */
function refuseSubscription(message: unknown): void {
  const { method, id } = (message ?? {}) as { method?: unknown; id?: unknown };
  if (method !== 'subscriptions/listen') return;
  const detail = 'Nothing changes here while the server runs';
  throw new MessageError(ProtocolErrorCode.MethodNotFound, detail, { status: 404, id });
}

/** What a server answers one message with. */
export interface Served {
  ctx: AppContext;
  /** Who calls; null for anyone. */
  caller: Caller | null;
  /** The request's name in the log. */
  requestId: string;
}
