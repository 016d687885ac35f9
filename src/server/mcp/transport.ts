/** Both generations of the protocol over HTTP, without sessions. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type McpServer,
  ProtocolErrorCode,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server';
import { MessageError } from './message.ts';
import type { Served } from './served.ts';

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
  const serving = new AsyncLocalStorage<Served>();
  const handler = createMcpHandler(() => serverOf(serving.getStore() as Served), {
    onerror: ({ message }) => {
      serving.getStore()?.ctx.logger.warn('mcp_refused', { reason: message });
    },
  });
  return async (request, message, served) => {
    if (responseMode === 'json') {
      if (await isLegacyRequest(request, message)) {
        return answerLegacy(serverOf(served), request, message);
      }
      refuseSubscription(message);
    }
    return serving.run(served, () => handler.fetch(request, { parsedBody: message }));
  };
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
