/** MCP over HTTP without sessions, for both generations of the protocol. */
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
 * `json`: each message gets one JSON document and nothing stays open, for servers whose tools report no progress.
 * `auto`: the response becomes a stream if a tool reports progress.
 */
export type ResponseMode = 'auto' | 'json';

/** Answers a message that passed the gate. */
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

/** Creates a handler per message, which takes microseconds, so that each knows its caller. */
async function answerAny(
  serverOf: (served: Served) => McpServer,
  request: Request,
  message: unknown,
  served: Served,
): Promise<Response> {
  let last: Error | undefined;
  const handler = createMcpHandler(() => serverOf(served), { onerror: (error) => (last = error) });
  const response = await handler.fetch(request, { parsedBody: message });
  // Lower statuses are client errors, which the response explains.
  if (response.status >= 500) {
    served.ctx.logger.error('request_failed', last, { request: served.requestId });
  }
  return response;
}

/** Answers in the revisions before 2026-07-28, which also allow servers without sessions. */
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

/** Rejects subscriptions, because nothing that clients can subscribe to changes while the server runs. */
function refuseSubscription(message: unknown): void {
  const { method, id } = (message ?? {}) as { method?: unknown; id?: unknown };
  if (method !== 'subscriptions/listen') return;
  const detail = 'Subscriptions are not supported: nothing changes while the server runs';
  throw new MessageError(ProtocolErrorCode.MethodNotFound, detail, { status: 404, id });
}

/** The context of one message. */
export interface Served {
  ctx: AppContext;
  /** Null without a token. */
  caller: Caller | null;
  /** The request ID in the log. */
  requestId: string;
}
